# What `cmake --install` puts where: headers, the CMake package with its components `app` and `uring`, and files for pkg-config. All of it
# is the same for each architecture, and may be moved as a whole.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_directory "${CMAKE_INSTALL_DATADIR}/cmake/udpbench")
set(generated "${CMAKE_CURRENT_BINARY_DIR}/package")

install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# Each part has an export set of its own, so that who takes the core alone is never asked for what the app needs.
install(TARGETS udpbench EXPORT udpbench-core FILE_SET core)
install(EXPORT udpbench-core NAMESPACE udpbench:: DESTINATION "${package_directory}")
if(TARGET udpbench_app)
  set_target_properties(udpbench_app PROPERTIES EXPORT_NAME app)
  install(TARGETS udpbench_app EXPORT udpbench-app FILE_SET app)
  install(EXPORT udpbench-app NAMESPACE udpbench:: DESTINATION "${package_directory}")
endif()
if(TARGET udpbench_uring)
  set_target_properties(udpbench_uring PROPERTIES EXPORT_NAME uring)
  set_target_properties(udpbench_io_uring_backend PROPERTIES EXPORT_NAME io_uring_backend)
  install(TARGETS udpbench_uring EXPORT udpbench-uring FILE_SET uring)
  install(TARGETS udpbench_io_uring_backend EXPORT udpbench-uring)
  install(EXPORT udpbench-uring NAMESPACE udpbench:: DESTINATION "${package_directory}")
  install(FILES "${PROJECT_SOURCE_DIR}/include/liburing.cmake" DESTINATION "${package_directory}")
endif()

file(CONFIGURE OUTPUT "${generated}/udpbench-config.cmake" @ONLY CONTENT [[
# Makes the target udpbench::udpbench and, with the components `app` and `uring`, udpbench::app and udpbench::uring.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(Boost 1.81 CONFIG COMPONENTS thread)
include("${CMAKE_CURRENT_LIST_DIR}/udpbench-core.cmake")

# No find_dependency here: it would call the whole package not found where a component is only optional.
foreach(component IN LISTS udpbench_FIND_COMPONENTS)
  set(udpbench_${component}_FOUND FALSE)
  if(component STREQUAL "app")
    set(udpbench_needed "CLI11, Boost.JSON and OpenSSL")
    find_package(CLI11 CONFIG QUIET)
    find_package(Boost 1.81 CONFIG QUIET COMPONENTS thread OPTIONAL_COMPONENTS json)
    find_package(OpenSSL 3.0 QUIET COMPONENTS Crypto)
    set(udpbench_targets CLI11::CLI11 Boost::json OpenSSL::Crypto)
  elseif(component STREQUAL "uring")
    set(udpbench_needed "liburing")
    include("${CMAKE_CURRENT_LIST_DIR}/liburing.cmake" OPTIONAL)
    set(udpbench_targets udpbench::liburing)
  else()
    set(udpbench_needed "")
  endif()
  if(NOT udpbench_needed)
    set(udpbench_reason "there is no such component; known are app and uring")
  elseif(NOT EXISTS "${CMAKE_CURRENT_LIST_DIR}/udpbench-${component}.cmake")
    set(udpbench_reason "udpbench was installed without it, for want of ${udpbench_needed}")
  else()
    set(udpbench_${component}_FOUND TRUE)
    foreach(target IN LISTS udpbench_targets)
      if(NOT TARGET ${target})
        set(udpbench_${component}_FOUND FALSE)
        set(udpbench_reason "it needs ${udpbench_needed}, in a version that will do, and that wasn't found")
      endif()
    endforeach()
    if(udpbench_${component}_FOUND)
      include("${CMAKE_CURRENT_LIST_DIR}/udpbench-${component}.cmake")
    endif()
  endif()
  if(udpbench_FIND_REQUIRED_${component} AND NOT udpbench_${component}_FOUND)
    set(udpbench_FOUND FALSE)
    set(udpbench_NOT_FOUND_MESSAGE "Component ${component}: ${udpbench_reason}.")
  endif()
endforeach()
unset(udpbench_needed)
unset(udpbench_targets)
unset(udpbench_reason)
]])

# Before 1.0 each minor version may break what the one before it promised.
write_basic_package_version_file("${generated}/udpbench-config-version.cmake"
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${generated}/udpbench-config.cmake" "${generated}/udpbench-config-version.cmake"
  DESTINATION "${package_directory}")

# The prefix is told from where the file lies, since `cmake --install --prefix` may choose another. Boost comes without
# files for pkg-config, so ours say where it was found; pkg-config leaves out the system's own directories.
file(RELATIVE_PATH to_prefix "${CMAKE_INSTALL_FULL_DATADIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" to_prefix "${to_prefix}")
cmake_path(APPEND pc_include "\${prefix}" "${CMAKE_INSTALL_INCLUDEDIR}")
get_target_property(boost_include Boost::headers INTERFACE_INCLUDE_DIRECTORIES)
get_target_property(boost_library Boost::thread LOCATION)
cmake_path(GET boost_library PARENT_PATH boost_library)

function(udpbench_pkg_config name description requires flags libraries)
  set(content "prefix=\${pcfiledir}/${to_prefix}
includedir=${pc_include}

Name: ${name}
Description: ${description}
Version: ${PROJECT_VERSION}
")
  if(requires)
    string(APPEND content "Requires: ${requires}\n")
  endif()
  string(APPEND content "Cflags: ${flags}\nLibs: ${libraries}\n")
  file(CONFIGURE OUTPUT "${generated}/${name}.pc" @ONLY CONTENT "${content}")
  install(FILES "${generated}/${name}.pc" DESTINATION "${CMAKE_INSTALL_DATADIR}/pkgconfig")
endfunction()

udpbench_pkg_config(udpbench "${PROJECT_DESCRIPTION} (headers, C++20)"
  "" "-I\${includedir} -I${boost_include} -pthread" "-L${boost_library} -lboost_thread -pthread")
if(TARGET udpbench_app)
  udpbench_pkg_config(udpbench-app "The command line of udpbench, for an executable of one's own"
    "udpbench = ${PROJECT_VERSION}, CLI11, libcrypto" "" "-lboost_json")
endif()
if(TARGET udpbench_uring)
  udpbench_pkg_config(udpbench-uring "Receivers of udpbench straight on io_uring"
    "udpbench = ${PROJECT_VERSION}, liburing" "" "")
endif()
