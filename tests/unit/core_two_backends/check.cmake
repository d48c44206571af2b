# SPDX-License-Identifier: Apache-2.0
# cmake -D CUPEL_SOURCE=... -D SCRATCH=... -D CC=... -P check.cmake: one library configures; two in one link are refused, by name.
function(configure linked expected)
  file(REMOVE_RECURSE "${SCRATCH}/${expected}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${SCRATCH}/${expected}" "-DCUPEL_SOURCE=${CUPEL_SOURCE}"
            "-DCMAKE_C_COMPILER=${CC}" "-DLINKED=${linked}"
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(expected STREQUAL "accepted")
    if(NOT status EQUAL 0)
      message(FATAL_ERROR "linking ${linked} alone was refused:\n${output}")
    endif()
  elseif(status EQUAL 0 OR NOT output MATCHES "${expected}")
    message(FATAL_ERROR "linking ${linked} was not refused for ${expected} (status ${status}):\n${output}")
  endif()
endfunction()

configure("nc_first" accepted)
configure("nc_first;nc_second" CUPEL_BACKEND)
configure("nc_first;nc_first_shared" CUPEL_LINKAGE)
