"""A node of one's own that looks to the left of the robot and saves what it sees."""

import contextlib
import math
import sys
import threading

import rclpy
from avr_ros.srv import ListRecordings, Observe
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor


def ask(client, request, seconds=20.0):
    """Call a service and wait for its answer, while another thread runs the executor."""
    if not client.wait_for_service(seconds):
        sys.exit(
            f"nobody serves {client.srv_name}; start: avr up live play:=NAME, or a replay node"
        )
    answered = threading.Event()
    future = client.call_async(request)
    future.add_done_callback(lambda _: answered.set())
    if not answered.wait(seconds):
        sys.exit(f"{client.srv_name} did not answer within {seconds:.0f} s")
    return future.result()


def main():
    """Ask for the middle frame of the first sequence, 90 degrees to the left."""
    rclpy.init()
    node = rclpy.create_node("look_left")
    recordings = node.create_client(ListRecordings, "list_recordings")
    observe = node.create_client(Observe, "observe")
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    spinning = threading.Thread(target=spin, args=(executor,))
    spinning.start()
    try:
        sequence = ask(recordings, ListRecordings.Request()).sequences[0]
        request = Observe.Request()
        request.sequence = sequence.name
        request.frame_id = sequence.frame_ids[len(sequence.frame_ids) // 2]
        request.azimuth = math.pi / 2
        response = ask(observe, request)
        if response.status != Observe.Response.OK:
            sys.exit(f"refused with status {response.status}: {response.message}")
        with open("left.jpg", "wb") as file:
            file.write(response.observation.jpeg.data)
        seen = response.observation
        print(f"left.jpg: frame {seen.frame_id} of {seen.sequence}, id {seen.observation_id}")
    finally:
        executor.shutdown()
        spinning.join()
        node.destroy_node()
        rclpy.try_shutdown()


def spin(executor):
    """Run the executor until it or the process is shut down."""
    with contextlib.suppress(ExternalShutdownException):
        executor.spin()


if __name__ == "__main__":
    main()
