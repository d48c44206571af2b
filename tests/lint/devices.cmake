# SPDX-License-Identifier: Apache-2.0
# What holds for the sources of the OpenCL and CUDA backends on every machine.
function(cupel_add_devices_lint name)
  add_test(NAME lint.devices-${name} COMMAND ${ARGN})
  set_tests_properties(lint.devices-${name} PROPERTIES LABELS lint TIMEOUT 120 ENVIRONMENT "LC_ALL=C")
endfunction()

if(Python3_FOUND)
  cupel_add_devices_lint(arguments "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/devices_arguments.py" "${PROJECT_SOURCE_DIR}")
  cupel_add_devices_lint(host-traffic "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/devices_host_traffic.py"
                         "${PROJECT_SOURCE_DIR}")
endif()

# Host files of a backend do no floating-point arithmetic: the core's host side, built as C with contraction off, computes every
# scalar. gcc refuses such code when it may not use the registers for it.
if(CUPEL_LINT_gcc AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  foreach(backend IN ITEMS opencl cuda)
    if(TARGET nc_${backend}_objects)
      cupel_add_devices_lint(no-float-${backend} "${CMAKE_CURRENT_LIST_DIR}/devices_no_float.sh" "${CUPEL_LINT_gcc}"
                             "${PROJECT_SOURCE_DIR}/backends" ${backend})
      set_property(TEST lint.devices-no-float-${backend} APPEND PROPERTY
                   ENVIRONMENT "CPATH=$<JOIN:$<TARGET_PROPERTY:nc_${backend}_objects,INCLUDE_DIRECTORIES>,:>")
    endif()
  endforeach()
endif()
