# Scripts that are tests.
find_program(UDPBENCH_BASH bash REQUIRED)
add_test(NAME "include directions" COMMAND "${UDPBENCH_BASH}" include_directions)
add_test(NAME "include directions: planted faults are found" COMMAND "${UDPBENCH_BASH}" include_directions --self-test)
add_test(NAME "format" COMMAND "${UDPBENCH_BASH}" format)
set_tests_properties("include directions" "include directions: planted faults are found" "format" PROPERTIES
  WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" TIMEOUT 300)
set_tests_properties("format" PROPERTIES SKIP_RETURN_CODE 77)

# The script says so where Doxygen is missing; the target isn't there then.
add_test(NAME "reference: undocumented names are refused" COMMAND "${UDPBENCH_BASH}" reference --self-test)
set_tests_properties("reference: undocumented names are refused" PROPERTIES
  WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" TIMEOUT 300 SKIP_RETURN_CODE 77)
find_program(UDPBENCH_DOXYGEN doxygen)
if(UDPBENCH_DOXYGEN)
  add_custom_target(reference
    COMMAND "${UDPBENCH_BASH}" reference "${PROJECT_BINARY_DIR}/reference" "${PROJECT_VERSION}"
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" USES_TERMINAL VERBATIM)
endif()

add_test(NAME "compile failures say why" COMMAND "${UDPBENCH_BASH}" compile_fail/run "${CMAKE_CXX_COMPILER}"
  "${PROJECT_SOURCE_DIR}/include" ${Boost_INCLUDE_DIRS})
set_tests_properties("compile failures say why" PROPERTIES WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" TIMEOUT 180)

# Projects of their own that take the library in the ways the README names.
if(UDPBENCH_INSTALL AND TARGET udpbench_executable)
  set(with_uring "")
  if(TARGET udpbench_uring)
    set(with_uring yes)
  endif()
  function(udpbench_consumer_test step name)
    add_test(NAME "consumer: ${name}" COMMAND "${UDPBENCH_BASH}" consumer/run ${step} "${PROJECT_BINARY_DIR}")
    set_tests_properties("consumer: ${name}" PROPERTIES
      WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" TIMEOUT 600 SKIP_RETURN_CODE 77
      ENVIRONMENT "CMAKE=${CMAKE_COMMAND};CMAKE_GENERATOR=${CMAKE_GENERATOR};CXX=${CMAKE_CXX_COMPILER};Boost_DIR=${Boost_DIR};CLI11_DIR=${CLI11_DIR};WITH_URING=${with_uring}"
      ${ARGN})
  endfunction()
  udpbench_consumer_test(install "the installed program and package have one version" FIXTURES_SETUP installed)
  udpbench_consumer_test(package "find_package finds the core, and the components app and uring" FIXTURES_REQUIRED installed)
  udpbench_consumer_test(without_app "the package's core is built and run without CLI11, Boost.JSON and liburing, and app says what it lacks"
    FIXTURES_REQUIRED installed)
  udpbench_consumer_test(makefile "a makefile finds the core by pkg-config" FIXTURES_REQUIRED installed)
  udpbench_consumer_test(subdirectory "a checkout within a project does without CLI11 and Boost.JSON, and leaks nothing")
  udpbench_consumer_test(fetch_content "FetchContent takes a commit of a git repository, and the first result is there")
endif()
