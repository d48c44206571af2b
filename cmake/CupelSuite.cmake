# SPDX-License-Identifier: Apache-2.0
# cupel_add_suite(NAME <suite> SOURCES <file>... [LIBRARIES <library>...])
#
# Compiles a suite once, into objects that see nc.h and the harness alone, and links them with every backend that is built, in
# each linkage: suite-<suite>-<backend> (static) and suite-<suite>-<backend>-shared. A generated source tells each executable which
# backend it is for; the harness refuses when the library it was linked with says otherwise.
# LIBRARIES are what the suite itself needs (never a core library).
include_guard(GLOBAL)

# The backends a suite is linked with, in this order, when the target nc_<backend> exists.
set(CUPEL_BACKENDS cpu cuda opencl)

# Writes what the target says of one executable.
function(cupel_suite_target_source backend linkage output)
  file(CONFIGURE OUTPUT "${output}" CONTENT [[// Written by cmake/CupelSuite.cmake.
#include "source_id.h"
extern const char cupel_expected_backend[];
extern const char cupel_linkage[];
extern const char cupel_source_id[];
const char cupel_expected_backend[] = "@backend@";
const char cupel_linkage[] = "@linkage@";
const char cupel_source_id[] = CUPEL_SOURCE_ID;
]] @ONLY)
endfunction()

# Keeps <build>/cupel/sources.sha256 (one line for each source file, in the form of sha256sum) and source_id.h in step with the
# sources at every build. Files change only when a source did.
function(cupel_add_source_id)
  if(TARGET cupel_source_id)
    return()
  endif()
  add_custom_target(cupel_source_id
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUTPUT=${PROJECT_BINARY_DIR}/cupel
            -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/CupelSourceId.cmake"
    BYPRODUCTS "${PROJECT_BINARY_DIR}/cupel/source_id.h" "${PROJECT_BINARY_DIR}/cupel/sources.sha256"
    COMMENT "Hashing the sources"
    VERBATIM)
endfunction()

function(cupel_link_suite suite backend linkage library executable)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${executable}.target.c")
  cupel_suite_target_source(${backend} ${linkage} "${source}")
  add_executable(${executable} "${source}")
  target_include_directories(${executable} PRIVATE "${PROJECT_BINARY_DIR}/cupel")
  target_link_libraries(${executable} PRIVATE suite-${suite}-objects cupel_harness ${library} cupel_flags)
  target_link_options(${executable} PRIVATE "LINKER:--build-id=sha1")
  add_dependencies(${executable} cupel_source_id)
  set_property(GLOBAL APPEND PROPERTY CUPEL_SUITE_EXECUTABLES_${backend} "${suite}|${linkage}|${executable}")
endfunction()

function(cupel_add_suite)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "SOURCES;LIBRARIES")
  if(NOT arg_NAME OR NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "cupel_add_suite needs NAME and SOURCES; not understood: '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  cupel_add_source_id()
  add_library(suite-${arg_NAME}-objects OBJECT ${arg_SOURCES})
  target_link_libraries(suite-${arg_NAME}-objects PRIVATE cupel_flags PUBLIC ${arg_LIBRARIES})
  target_compile_options(suite-${arg_NAME}-objects PRIVATE -ffp-contract=off -fno-fast-math)
  target_include_directories(suite-${arg_NAME}-objects PRIVATE
    $<TARGET_PROPERTY:cupel_harness,INTERFACE_INCLUDE_DIRECTORIES>)
  foreach(backend IN LISTS CUPEL_BACKENDS)
    if(TARGET nc_${backend})
      cupel_link_suite(${arg_NAME} ${backend} static nc_${backend} suite-${arg_NAME}-${backend})
    endif()
    if(TARGET nc_${backend}_shared)
      cupel_link_suite(${arg_NAME} ${backend} shared nc_${backend}_shared suite-${arg_NAME}-${backend}-shared)
    endif()
  endforeach()
endfunction()
