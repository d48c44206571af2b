# SPDX-License-Identifier: Apache-2.0
# cupel_add_backend(NAME <name> SOURCES <file>... [OBJECTS <target>] [LIBRARIES <library>...] [INCLUDES <directory>...])
#
# Builds the numerical core for one backend, from the host sources (global property CUPEL_CORE_HOST_SOURCES) and the backend's own,
# each compiled once (OBJECTS names an object library of sources in another language, linked beside them):
#   nc_<name>_objects  the objects, for tests that need internals
#   nc_<name>          static library; hidden symbols are made local, so it exports what the shared one does
#   nc_<name>_shared   shared library with SOVERSION and a version script
# Both export exactly src/core/nc.exports. LIBRARIES are what the backend's runtime needs; they reach every user of the static
# library. A target that links two backends, or both libraries of one, is refused when CMake generates.
#
# Suites added afterwards are linked with the backend too (cmake/CupelSuite.cmake): it joins the global property CUPEL_BACKENDS. This
# function needs the core's sources: it is there where Cupel is a subdirectory, and not in the installed package.
include_guard(GLOBAL)
include(GNUInstallDirs)

# Writes the linker's version script: the listed names are global, everything else is local.
function(cupel_core_version_script exports output)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${exports}")
  file(STRINGS "${exports}" names)
  list(JOIN names ";\n    " joined)
  file(CONFIGURE OUTPUT "${output}" CONTENT "{\n  global:\n    @joined@;\n  local:\n    *;\n};\n" @ONLY)
endfunction()

# The number in NC_ABI_VERSION, which is also the shared library's SOVERSION.
function(cupel_core_abi header result)
  file(STRINGS "${header}" line REGEX "^#define NC_ABI_VERSION [0-9]+u$")
  string(REGEX REPLACE "[^0-9]" "" number "${line}")
  if(NOT number)
    message(FATAL_ERROR "${header} does not define NC_ABI_VERSION as a number with the suffix u")
  endif()
  set(${result} "${number}" PARENT_SCOPE)
endfunction()

function(cupel_core_properties target name linkage core_dir)
  target_include_directories(${target} INTERFACE "$<BUILD_INTERFACE:${core_dir}>"
                                                 "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/cupel>")
  # Two values of either property in one link are a configure-time error.
  set_target_properties(${target} PROPERTIES INTERFACE_CUPEL_BACKEND "${name}" INTERFACE_CUPEL_LINKAGE "${linkage}")
  set_property(TARGET ${target} APPEND PROPERTY COMPATIBLE_INTERFACE_STRING CUPEL_BACKEND CUPEL_LINKAGE)
endfunction()

function(cupel_add_backend)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;OBJECTS" "SOURCES;LIBRARIES;INCLUDES")
  if(NOT arg_NAME OR NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "cupel_add_backend needs NAME and SOURCES; not understood: '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  get_property(host_sources GLOBAL PROPERTY CUPEL_CORE_HOST_SOURCES)
  cmake_path(SET core_dir NORMALIZE "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../src/core")
  cupel_core_abi("${core_dir}/nc_base.h" abi)
  set(library nc_${arg_NAME})

  add_library(${library}_objects OBJECT ${host_sources} ${arg_SOURCES})
  set_target_properties(${library}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
  target_link_libraries(${library}_objects PRIVATE cupel_core_flags PUBLIC ${arg_LIBRARIES})
  target_compile_definitions(${library}_objects PRIVATE NC_BUILDING_CORE CUPEL_VERSION="${Cupel_VERSION}")
  target_include_directories(${library}_objects PRIVATE ${arg_INCLUDES} PUBLIC "$<BUILD_INTERFACE:${core_dir}>")

  set(objects "$<TARGET_OBJECTS:${library}_objects>")
  if(arg_OBJECTS)
    list(APPEND objects "$<TARGET_OBJECTS:${arg_OBJECTS}>")
  endif()

  # Static: one relocatable object whose hidden symbols are local.
  set(prelinked "${CMAKE_CURRENT_BINARY_DIR}/${library}${CMAKE_C_OUTPUT_EXTENSION}")
  add_custom_command(
    OUTPUT "${prelinked}"
    COMMAND ${CMAKE_LINKER} -r -o "${prelinked}" ${objects}
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden "${prelinked}"
    DEPENDS ${objects}
    COMMENT "Localising the hidden symbols of ${library}"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_library(${library} STATIC "${prelinked}")
  set_source_files_properties("${prelinked}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  set_target_properties(${library} PROPERTIES LINKER_LANGUAGE C)
  target_link_libraries(${library} INTERFACE ${arg_LIBRARIES})
  cupel_core_properties(${library} ${arg_NAME} static "${core_dir}")

  set(script "${CMAKE_CURRENT_BINARY_DIR}/${library}.map")
  cupel_core_version_script("${core_dir}/nc.exports" "${script}")
  add_library(${library}_shared SHARED ${objects})
  set_target_properties(${library}_shared PROPERTIES OUTPUT_NAME ${library} LINKER_LANGUAGE C LINK_DEPENDS "${script}"
                                                     VERSION "${abi}.0.0" SOVERSION "${abi}")
  target_link_libraries(${library}_shared PRIVATE cupel_core_flags ${arg_LIBRARIES})
  target_link_options(${library}_shared PRIVATE "LINKER:--version-script=${script}")
  if(NOT CUPEL_SANITIZE) # a sanitizer's runtime comes with the executable
    target_link_options(${library}_shared PRIVATE "LINKER:--no-undefined")
  endif()
  cupel_core_properties(${library}_shared ${arg_NAME} shared "${core_dir}")

  add_library(Cupel::${library} ALIAS ${library})
  add_library(Cupel::${library}_shared ALIAS ${library}_shared)
  set_property(GLOBAL APPEND PROPERTY CUPEL_BACKENDS ${arg_NAME})
endfunction()
