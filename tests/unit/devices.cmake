# SPDX-License-Identifier: Apache-2.0
# Unit tests of the OpenCL and CUDA backends. None needs a GPU.

# device-bytes-<backend>: the same program for each backend; on a machine with its device their output is the CPU's.
foreach(backend IN ITEMS cpu cuda opencl)
  if(TARGET nc_${backend})
    add_executable(device-bytes-${backend} device_bytes.c device_bytes_systems.c device_public.c)
    target_link_libraries(device-bytes-${backend} PRIVATE nc_${backend} cupel_flags)
  endif()
endforeach()

# Both libraries of a backend export what the CPU's export.
foreach(backend IN ITEMS cuda opencl)
  if(TARGET nc_${backend})
    foreach(kind IN ITEMS static shared)
      set(library nc_${backend})
      if(kind STREQUAL "shared")
        set(library nc_${backend}_shared)
      endif()
      add_test(NAME unit.${backend}-exports-${kind}
               COMMAND "${CMAKE_CURRENT_LIST_DIR}/core_exports.sh" "${CMAKE_NM}" "${PROJECT_SOURCE_DIR}/src/core/nc.exports" ${kind}
                       "$<TARGET_FILE:${library}>")
      set_tests_properties(unit.${backend}-exports-${kind} PROPERTIES LABELS unit TIMEOUT 60)
    endforeach()
  endif()
endforeach()

# For the sanitizer build: what the OpenCL implementation itself never frees.
set(foreign_leaks "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/sanitizer/leaks.supp:print_suppressions=0")

if(TARGET nc_opencl)
  set(scratch "${CMAKE_CURRENT_BINARY_DIR}/scratch/opencl-bytes")
  file(MAKE_DIRECTORY "${scratch}")
  add_test(NAME unit.opencl-bytes COMMAND "${CMAKE_CURRENT_LIST_DIR}/device_bytes.sh" "$<TARGET_FILE:device-bytes-cpu>"
                                          "$<TARGET_FILE:device-bytes-opencl>" "${scratch}")
  set_tests_properties(unit.opencl-bytes PROPERTIES LABELS unit TIMEOUT 300 ENVIRONMENT "LC_ALL=C;${foreign_leaks}")
endif()

if(TARGET nc_opencl)
  # Stands in for a loader that has none of the functions.
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/opencl_hollow.c" CONTENT "extern const int hollow;\nconst int hollow = 1;\n")
  add_library(opencl-hollow SHARED "${CMAKE_CURRENT_BINARY_DIR}/opencl_hollow.c")
  add_test(NAME unit.opencl-loader
           COMMAND "${CMAKE_CURRENT_LIST_DIR}/opencl_loader.sh" "${CMAKE_CURRENT_BINARY_DIR}/scratch/opencl-loader"
                   "$<TARGET_FILE:device-bytes-opencl>" "$<TARGET_FILE:opencl-hollow>")
  set_tests_properties(unit.opencl-loader PROPERTIES LABELS unit TIMEOUT 60 ENVIRONMENT "LC_ALL=C")
endif()

# Tests of the backends' insides link their objects.
if(TARGET nc_opencl_objects)
  foreach(test IN ITEMS absent device lacks model)
    cupel_add_unit_test(opencl-${test} opencl_${test}.c LIBS nc_opencl_objects)
    target_include_directories(unit-opencl-${test} PRIVATE "${PROJECT_SOURCE_DIR}/backends/opencl"
                                                           $<TARGET_PROPERTY:nc_opencl_objects,INCLUDE_DIRECTORIES>)
    set_property(TEST unit.opencl-${test} APPEND PROPERTY ENVIRONMENT "${foreign_leaks}")
  endforeach()
endif()
# Near memory: on a CPU's local memory as a unit test, and as a program for GPU machines.
if(TARGET nc_opencl_objects)
  cupel_add_unit_test(opencl-near device_near.c LIBS nc_opencl_objects)
  target_include_directories(unit-opencl-near PRIVATE $<TARGET_PROPERTY:nc_opencl_objects,INCLUDE_DIRECTORIES>)
  set_property(TEST unit.opencl-near APPEND PROPERTY ENVIRONMENT "${foreign_leaks}")
endif()
# Tests of building build. The others and the suites take what PoCL has built already of the same text (docs/opencl.md), one at a time.
if(TARGET nc_opencl)
  foreach(test IN ITEMS absent device lacks)
    set_property(TEST unit.opencl-${test} APPEND PROPERTY ENVIRONMENT "POCL_KERNEL_CACHE=0")
  endforeach()
  set_tests_properties(unit.opencl-bytes unit.opencl-model unit.opencl-near PROPERTIES RESOURCE_LOCK cupel-device-cpu)
endif()
if(TARGET nc_cuda_objects)
  add_executable(device-near-cuda device_near.c)
  target_sources(device-near-cuda PRIVATE $<TARGET_OBJECTS:nc_cuda_kernels>)
  set_target_properties(device-near-cuda PROPERTIES LINKER_LANGUAGE C)
  target_include_directories(device-near-cuda PRIVATE $<TARGET_PROPERTY:nc_cuda_objects,INCLUDE_DIRECTORIES>)
  target_link_libraries(device-near-cuda PRIVATE nc_cuda_objects PkgConfig::CUPEL_CMOCKA cupel_flags)
  cupel_add_unit_test(cuda-diagnose cuda_diagnose.c LIBS nc_cuda_objects)
  target_sources(unit-cuda-diagnose PRIVATE $<TARGET_OBJECTS:nc_cuda_kernels>)
  set_target_properties(unit-cuda-diagnose PROPERTIES LINKER_LANGUAGE C)
  target_include_directories(unit-cuda-diagnose PRIVATE "${PROJECT_SOURCE_DIR}/backends/cuda"
                                                        $<TARGET_PROPERTY:nc_cuda_objects,INCLUDE_DIRECTORIES>)
endif()
if(TARGET nc_cuda AND CMAKE_GENERATOR STREQUAL "Ninja")
  add_test(NAME unit.cuda-options COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}"
                                          "-DBINARY=${CMAKE_CURRENT_BINARY_DIR}/scratch/cuda-options"
                                          -P "${CMAKE_CURRENT_LIST_DIR}/cuda_options.cmake")
  set_tests_properties(unit.cuda-options PROPERTIES LABELS unit TIMEOUT 120)
endif()

# The script for a machine with a GPU, over played programs.
add_test(NAME unit.qualify-device COMMAND "${CMAKE_CURRENT_LIST_DIR}/qualify_device.sh" "${CMAKE_CURRENT_BINARY_DIR}/scratch/qualify"
                                          "${PROJECT_SOURCE_DIR}/tools/qualify-device")
set_tests_properties(unit.qualify-device PROPERTIES LABELS unit TIMEOUT 120 ENVIRONMENT "LC_ALL=C")

# Rules of the device test that need no device.
cupel_add_unit_test(device-rules device_rules.c)
target_sources(unit-device-rules PRIVATE "${PROJECT_SOURCE_DIR}/src/harness/device_rules.c")
target_include_directories(unit-device-rules PRIVATE "${PROJECT_SOURCE_DIR}/src/harness" "${PROJECT_SOURCE_DIR}/src/core")
