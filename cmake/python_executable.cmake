# Installs lib/<project>/<name>, a script that calls a function of a Python module.
#
# :param name: the name of the executable
# :param module: the module
# :param ARGN: the function that it calls and leaves with what that returns; main where none is given
function(avr_python_executable name module)
  set(called main)
  if(ARGC GREATER 2)
    set(called "${ARGV2}")
  endif()
  set(interpreter "${Python3_EXECUTABLE}")
  string(LENGTH "${interpreter}" length)
  if(interpreter MATCHES " " OR length GREATER 120)
    # A kernel's #! line holds no spaces and about 127 characters: let the shell start Python instead.
    set(start "#!/bin/sh\n'''exec' \"${interpreter}\" \"$0\" \"$@\"\n' '''")
  else()
    set(start "#!${interpreter}")
  endif()
  set(script "${CMAKE_CURRENT_BINARY_DIR}/executables/${name}")
  configure_file("${CMAKE_CURRENT_SOURCE_DIR}/cmake/python_executable.in" "${script}" @ONLY
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
      WORLD_READ WORLD_EXECUTE)
  install(PROGRAMS "${script}" DESTINATION "lib/${PROJECT_NAME}")
endfunction()
