# SPDX-License-Identifier: Apache-2.0
# cupel_add_profile(NAME <profile> BACKEND <backend> DEVICE_TYPE cpu|gpu MANIFEST <file> [TIMEOUT <seconds>])
#
# Makes a profile of every suite added before (cmake/CupelSuite.cmake). Its tests carry the profile's name as their only label:
#   <profile>.device                 opens a run and looks at the device; fixture set-up
#   <profile>.<suite>[-shared]       one for each suite and linkage; fixture required, the device locked, a time limit
#   <profile>.verdict                compares everything, writes the receipt; fixture clean-up
# A profile whose backend was not built has its device and verdict tests all the same: they fail and say what is missing.
# The target cupel-profile-<profile> builds what a run of it needs.
# When CMake has read everything, <build>/cupel/plan.json describes all profiles (docs/formats.md). One build tree has one plan, that of
# its top project, as it has one list of tests.
include_guard(GLOBAL)

# Why the backend is not built, and what to do about it, as two sentences without and with a final point.
function(cupel_backend_absence backend reason install)
  string(TOUPPER "${backend}" upper)
  set(why "${CUPEL_${upper}_REASON}")
  set(todo_cuda "Install the CUDA toolkit (nvcc) and configure with --preset cuda.")
  set(todo_opencl "Install the OpenCL headers (Debian: apt install opencl-c-headers) and configure with --preset opencl.")
  set(todo "${todo_${backend}}")
  if(todo AND "${CUPEL_${upper}}" STREQUAL "OFF") # what it needs may well be there
    set(todo "Configure with --preset ${backend} (-DCUPEL_${upper}=ON).")
  endif()
  get_property(prefix GLOBAL PROPERTY CUPEL_PACKAGE_PREFIX)
  if(prefix) # found installed
    set(why "the Cupel installed in ${prefix} is without it")
    set(todo "Build and install Cupel with this backend and configure again.")
  endif()
  if(NOT why)
    set(why "there are no sources for it")
  endif()
  if(NOT todo)
    set(todo "Add the backend with cupel_add_backend and configure again.")
  endif()
  set(${reason} "backend ${backend} was not built: ${why}" PARENT_SCOPE)
  set(${install} "${todo}" PARENT_SCOPE)
endfunction()

# The executable of the device tests of one backend.
function(cupel_add_device_gate backend)
  set(gate device-gate-${backend})
  if(TARGET ${gate})
    return()
  endif()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${gate}.target.c")
  if(TARGET Cupel::nc_${backend})
    set(inspect Cupel::gate_device)
    set(library Cupel::nc_${backend})
  else()
    set(inspect Cupel::gate_absent)
    set(library)
    cupel_backend_absence(${backend} reason install)
  endif()
  file(CONFIGURE OUTPUT "${source}" CONTENT [[// Written by cmake/CupelProfile.cmake.
extern const char cupel_expected_backend[];
extern const char cupel_absent_reason[];
extern const char cupel_absent_install[];
const char cupel_expected_backend[] = "@backend@";
const char cupel_absent_reason[] = "@reason@";
const char cupel_absent_install[] = "@install@";
]] @ONLY)
  add_executable(${gate} "${source}")
  target_link_libraries(${gate} PRIVATE Cupel::gate ${inspect} ${library} $<TARGET_NAME_IF_EXISTS:cupel_flags>)
  target_link_options(${gate} PRIVATE "LINKER:--build-id=sha1")
endfunction()

# Registers one test of a profile and gives it the profile's label.
function(cupel_add_profile_test profile name timeout)
  add_test(NAME ${profile}.${name} COMMAND ${ARGN})
  set_tests_properties(${profile}.${name} PROPERTIES LABELS "${profile}" TIMEOUT ${timeout})
endfunction()

# A JSON string. A semicolon is spelled as an escape, since it would divide a CMake list.
function(cupel_json_text text result)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE ";" "\\u003b" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  set(${result} "\"${text}\"" PARENT_SCOPE)
endfunction()

# Writes the plan of all profiles. Called once, when CMake has read the whole project.
function(cupel_write_plan)
  get_property(profiles GLOBAL PROPERTY CUPEL_PLAN_PROFILES)
  list(JOIN profiles ",\n  " profiles)
  cupel_json_text("${CMAKE_SOURCE_DIR}" source)
  cupel_json_text("${CMAKE_BINARY_DIR}" build)
  cupel_json_text("${CMAKE_CTEST_COMMAND}" ctest)
  file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/cupel/plan.json" CONTENT
"{\"schema\": \"cupel-plan 1\", \"source\": ${source}, \"build\": ${build}, \"ctest\": ${ctest},
 \"profiles\": [
  ${profiles}]}
")
endfunction()

# The suites' tests and their entries in the plan.
function(cupel_add_profile_suites profile backend lock timeout entries)
  math(EXPR ctest_timeout "${timeout} + 30") # the supervisor stops a suite first and says so in the ledger
  get_property(executables GLOBAL PROPERTY CUPEL_SUITE_EXECUTABLES_${backend})
  foreach(item IN LISTS executables)
    string(REPLACE "|" ";" item "${item}")
    list(GET item 0 suite)
    list(GET item 1 linkage)
    list(GET item 2 executable)
    set(name ${suite})
    if(linkage STREQUAL "shared")
      string(APPEND name "-shared")
    endif()
    cupel_add_profile_test(${profile} ${name} ${ctest_timeout} ${executable} --profile ${profile} --tree "${CMAKE_BINARY_DIR}"
                           --test ${profile}.${name} --timeout ${timeout})
    set_tests_properties(${profile}.${name} PROPERTIES FIXTURES_REQUIRED cupel.${profile} RESOURCE_LOCK ${lock})
    list(APPEND written
      "{\"suite\": \"${suite}\", \"linkage\": \"${linkage}\", \"test\": \"${profile}.${name}\", \"executable\": \"$<TARGET_FILE:${executable}>\"}")
  endforeach()
  list(JOIN written ",\n    " written)
  set(${entries} "${written}" PARENT_SCOPE)
endfunction()

function(cupel_add_profile)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;BACKEND;DEVICE_TYPE;MANIFEST;TIMEOUT" "")
  foreach(needed IN ITEMS NAME BACKEND DEVICE_TYPE MANIFEST)
    if(NOT arg_${needed})
      message(FATAL_ERROR "cupel_add_profile needs ${needed}; not understood: '${arg_UNPARSED_ARGUMENTS}'")
    endif()
  endforeach()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  cmake_path(ABSOLUTE_PATH arg_MANIFEST NORMALIZE)
  set(lock cupel-device-${arg_DEVICE_TYPE})
  cupel_add_device_gate(${arg_BACKEND})
  cupel_add_profile_test(${arg_NAME} device 120 device-gate-${arg_BACKEND} --profile ${arg_NAME} --tree "${CMAKE_BINARY_DIR}"
                         --device-type ${arg_DEVICE_TYPE})
  cupel_add_profile_test(${arg_NAME} verdict 120 "$<TARGET_FILE:Cupel::cupel>" verdict --profile ${arg_NAME} --tree "${CMAKE_BINARY_DIR}")
  set_tests_properties(${arg_NAME}.device PROPERTIES FIXTURES_SETUP cupel.${arg_NAME} RESOURCE_LOCK ${lock})
  set_tests_properties(${arg_NAME}.verdict PROPERTIES FIXTURES_CLEANUP cupel.${arg_NAME})

  set(built false)
  set(entries "")
  if(TARGET Cupel::nc_${arg_BACKEND})
    set(built true)
    cupel_add_profile_suites(${arg_NAME} ${arg_BACKEND} ${lock} ${arg_TIMEOUT} entries)
    set(reason "")
    set(install "")
  else()
    cupel_backend_absence(${arg_BACKEND} reason install)
    # Plain ctest shows no output of a test that fails, but it shows the expression that the output matched.
    string(REGEX REPLACE "[][()*+?^$\\\\|]" "." sentence "${reason}. ${install}")
    set_tests_properties(${arg_NAME}.device PROPERTIES FAIL_REGULAR_EXPRESSION "${sentence}")
  endif()
  # Everything that a run of the profile needs and nothing else, for builds in fresh directories (`cupel run --fresh-build`).
  get_property(executables GLOBAL PROPERTY CUPEL_SUITE_EXECUTABLES_${arg_BACKEND})
  list(TRANSFORM executables REPLACE "^.*\\|" "")
  add_custom_target(cupel-profile-${arg_NAME} COMMAND ${CMAKE_COMMAND} -E true "$<TARGET_FILE:Cupel::cupel>" VERBATIM)
  add_dependencies(cupel-profile-${arg_NAME} device-gate-${arg_BACKEND} ${executables})
  if(built)
    cupel_add_source_id()
    add_dependencies(cupel-profile-${arg_NAME} cupel_source_id)
  endif()
  cupel_json_text("${reason}" reason)
  cupel_json_text("${install}" install)
  cupel_json_text("${arg_MANIFEST}" manifest)
  set_property(GLOBAL APPEND PROPERTY CUPEL_PLAN_PROFILES
"{\"name\": \"${arg_NAME}\", \"backend\": \"${arg_BACKEND}\", \"device_type\": \"${arg_DEVICE_TYPE}\", \"built\": ${built},
   \"reason\": ${reason}, \"install\": ${install}, \"manifest\": ${manifest}, \"timeout_seconds\": ${arg_TIMEOUT},
   \"suites\": [${entries}]}")
  get_property(deferred GLOBAL PROPERTY CUPEL_PLAN_DEFERRED)
  if(NOT deferred)
    set_property(GLOBAL PROPERTY CUPEL_PLAN_DEFERRED TRUE)
    cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL cupel_write_plan)
  endif()
endfunction()
