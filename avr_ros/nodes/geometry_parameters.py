"""Parameters of nodes that serve panoramas."""

from pydantic import Field

from avr_ros.geometry.panorama import GROUND_HEIGHT, JRDB_CYLINDER, Cylinder
from avr_ros.nodes.parameters import NodeParameters


class PanoramaParameters(NodeParameters):
    """The panorama's geometry, by default that of JRDB, and how views of it are served."""

    camera_frame: str = Field(
        default="panorama", description="coordinate frame of the camera, in headers"
    )
    panorama_width: int = Field(
        default=JRDB_CYLINDER.width, ge=1, le=100_000, description="px, width of the panorama"
    )
    panorama_height: int = Field(
        default=JRDB_CYLINDER.height, ge=1, le=100_000, description="px, height of the panorama"
    )
    vertical_focal_length: float = Field(
        default=JRDB_CYLINDER.vertical_focal_length,
        ge=1e-3,
        le=1e6,
        description="px, rows per unit of the elevation's tangent",
    )
    principal_row: float = Field(
        default=JRDB_CYLINDER.principal_row,
        ge=-1e6,
        le=1e6,
        description="px, row of the horizon",
    )
    ground_height: float = Field(
        default=GROUND_HEIGHT,
        ge=-100.0,
        le=-0.01,
        description="m, height of the ground in the camera's frame",
    )
    jpeg_quality: int = Field(default=90, ge=1, le=100, description="quality of served JPEG views")

    @property
    def cylinder(self) -> Cylinder:
        """The panorama's geometry."""
        return Cylinder(
            self.panorama_width,
            self.panorama_height,
            self.vertical_focal_length,
            self.principal_row,
        )
