# SPDX-License-Identifier: Apache-2.0
# cupel_add_suite(NAME <suite> SOURCES <file>... [LIBRARIES <library>...] [BACKENDS <backend>...] [LINKAGES static|shared...])
#
# Compiles a suite once, into objects that see nc.h and the harness alone, and links them with every backend there is, in each
# linkage: suite-<suite>-<backend> (static) and suite-<suite>-<backend>-shared. A generated source tells each executable which
# backend it is for; the harness refuses when the library it was linked with says otherwise.
#   LIBRARIES  what the suite itself needs: the library under test (never a core library)
#   BACKENDS   those of the global property CUPEL_BACKENDS that the suite is for; all without it
#   LINKAGES   without it those of the global property CUPEL_LINKAGES: static where Cupel was found installed, else both
#
# The variable CUPEL_SOURCES lists files and folders, below the top source directory, that suite executables are made of or read;
# without it they are all files there but hidden ones and those of build trees. Every build hashes them, and `cupel run` refuses
# to speak of executables that are older than their sources.
include_guard(GLOBAL)

set_property(GLOBAL PROPERTY CUPEL_LINKAGES static shared)

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
  if(NOT CUPEL_SOURCES AND CMAKE_SOURCE_DIR STREQUAL CMAKE_BINARY_DIR)
    message(FATAL_ERROR "The build tree is the source tree, so sources cannot be told from what is built. "
                        "Build in a folder of its own or set CUPEL_SOURCES.")
  endif()
  list(JOIN CUPEL_SOURCES "|" parts)
  add_custom_target(cupel_source_id
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DOUTPUT=${CMAKE_BINARY_DIR}/cupel "-DPARTS=${parts}"
            -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/CupelSourceId.cmake"
    BYPRODUCTS "${CMAKE_BINARY_DIR}/cupel/source_id.h" "${CMAKE_BINARY_DIR}/cupel/sources.sha256"
    COMMENT "Hashing the sources"
    VERBATIM)
endfunction()

function(cupel_link_suite suite backend linkage library executable)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${executable}.target.c")
  cupel_suite_target_source(${backend} ${linkage} "${source}")
  add_executable(${executable} "${source}")
  target_include_directories(${executable} PRIVATE "${CMAKE_BINARY_DIR}/cupel")
  target_link_libraries(${executable} PRIVATE suite-${suite}-objects Cupel::harness ${library} $<TARGET_NAME_IF_EXISTS:cupel_flags>)
  target_link_options(${executable} PRIVATE "LINKER:--build-id=sha1")
  add_dependencies(${executable} cupel_source_id)
  set_property(GLOBAL APPEND PROPERTY CUPEL_SUITE_EXECUTABLES_${backend} "${suite}|${linkage}|${executable}")
endfunction()

function(cupel_add_suite)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "SOURCES;LIBRARIES;BACKENDS;LINKAGES")
  if(NOT arg_NAME OR NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "cupel_add_suite needs NAME and SOURCES; not understood: '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  get_property(backends GLOBAL PROPERTY CUPEL_BACKENDS)
  if(NOT arg_BACKENDS)
    set(arg_BACKENDS ${backends})
  endif()
  if(NOT arg_LINKAGES)
    get_property(arg_LINKAGES GLOBAL PROPERTY CUPEL_LINKAGES)
  endif()
  cupel_add_source_id()
  add_library(suite-${arg_NAME}-objects OBJECT ${arg_SOURCES})
  target_link_libraries(suite-${arg_NAME}-objects PRIVATE $<TARGET_NAME_IF_EXISTS:cupel_flags> PUBLIC ${arg_LIBRARIES})
  target_compile_options(suite-${arg_NAME}-objects PRIVATE -ffp-contract=off -fno-fast-math)
  target_include_directories(suite-${arg_NAME}-objects PRIVATE
    $<TARGET_PROPERTY:Cupel::harness,INTERFACE_INCLUDE_DIRECTORIES>)
  foreach(backend IN LISTS arg_BACKENDS)
    if(NOT backend IN_LIST backends)
      continue() # a profile for it says that it is missing
    endif()
    foreach(linkage IN LISTS arg_LINKAGES)
      if(linkage STREQUAL "static")
        cupel_link_suite(${arg_NAME} ${backend} static Cupel::nc_${backend} suite-${arg_NAME}-${backend})
      elseif(linkage STREQUAL "shared")
        cupel_link_suite(${arg_NAME} ${backend} shared Cupel::nc_${backend}_shared suite-${arg_NAME}-${backend}-shared)
      else()
        message(FATAL_ERROR "cupel_add_suite(${arg_NAME}): LINKAGES is '${linkage}', not static or shared")
      endif()
    endforeach()
  endforeach()
endfunction()
