# Makes the target udpbench::liburing, unless liburing isn't found. It is also a part of the installed package.
find_path(UDPBENCH_LIBURING_INCLUDE_DIR liburing.h)
find_library(UDPBENCH_LIBURING_LIBRARY uring)
mark_as_advanced(UDPBENCH_LIBURING_INCLUDE_DIR UDPBENCH_LIBURING_LIBRARY)
if(UDPBENCH_LIBURING_INCLUDE_DIR AND UDPBENCH_LIBURING_LIBRARY AND NOT TARGET udpbench::liburing)
  add_library(udpbench::liburing UNKNOWN IMPORTED)
  set_target_properties(udpbench::liburing PROPERTIES
    IMPORTED_LOCATION "${UDPBENCH_LIBURING_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${UDPBENCH_LIBURING_INCLUDE_DIR}")
endif()
