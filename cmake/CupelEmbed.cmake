# SPDX-License-Identifier: Apache-2.0
# Embeds the core's kernels as program text, for backends that compile at run time (clBuildProgram, NVRTC).
#
# cupel_embed_program(NAME <symbol> OUTPUT <file.c> ROOT <directory> PARTS <file>...)
#   Adds the rule for one C file that defines `const nc_program_text <symbol>` (src/core/program_text.h).
# cupel_embed_core_programs(<variable>)
#   One such file for each (module, kind) in the current binary directory; the variable receives the list. Modules are those of
#   src/core/kernels/kernels.def: kernels/<module>_plain.h makes the kind plain, kernels/<module>.h the kinds f32 and f64.
#   Add the list to the sources of a target that has src/core among its include directories.
include_guard(GLOBAL)

function(cupel_embed_program)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;OUTPUT;ROOT" "PARTS")
  add_custom_command(
    OUTPUT "${arg_OUTPUT}"
    COMMAND cupel-embed "${arg_OUTPUT}" "${arg_OUTPUT}.d" ${arg_NAME} "${arg_ROOT}" ${arg_PARTS}
    DEPENDS cupel-embed
    DEPFILE "${arg_OUTPUT}.d"
    COMMENT "Embedding ${arg_NAME}"
    VERBATIM)
endfunction()

# The core's translation units for devices: <variable> receives their names (<module>_<kind>), <variable>_<name> the parts of each,
# below src/core, to be included in order.
function(cupel_core_units result)
  cmake_path(SET core_dir NORMALIZE "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../src/core")
  set(kernels_def "${core_dir}/kernels/kernels.def")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${kernels_def}")
  file(STRINGS "${kernels_def}" lines REGEX "^#include ")
  set(names "")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include \"([a-z_]+)\\.def\"$" "\\1" module "${line}")
    set(plain_parts "kernels/${module}_plain.h")
    set(f32_parts dialect/real_helpers.h dialect/real_f32.h "kernels/${module}.h")
    set(f64_parts dialect/real_helpers.h dialect/real_f64.h "kernels/${module}.h")
    foreach(kind IN ITEMS plain f32 f64)
      list(GET ${kind}_parts -1 body)
      if(EXISTS "${core_dir}/${body}")
        list(APPEND names ${module}_${kind})
        set(${result}_${module}_${kind} "${${kind}_parts}" PARENT_SCOPE)
      endif()
    endforeach()
  endforeach()
  set(${result} "${names}" PARENT_SCOPE)
endfunction()

function(cupel_embed_core_programs result)
  cmake_path(SET core_dir NORMALIZE "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../src/core")
  cupel_core_units(units)
  set(outputs "")
  foreach(unit IN LISTS units)
    set(output "${CMAKE_CURRENT_BINARY_DIR}/nc_program_${unit}.c")
    cupel_embed_program(NAME nc_program_${unit} OUTPUT "${output}" ROOT "${core_dir}" PARTS ${units_${unit}})
    list(APPEND outputs "${output}")
  endforeach()
  set(${result} "${outputs}" PARENT_SCOPE)
endfunction()
