# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=<tree> -DOUTPUT=<folder> -DPARTS=<part>|<part>... -P CupelSourceId.cmake
#
# Writes <folder>/sources.sha256: "<sha256>  <path>" for every file that a suite executable is made of or reads, in byte order of the paths
# (`cd <tree> && sha256sum -c` reads it). The source id is the SHA-256 of that file; <folder>/source_id.h defines it.
# Parts are files and folders below the tree. Without any, every file counts but hidden ones and those of build trees.
cmake_minimum_required(VERSION 3.25...4.0)

string(REPLACE "|" ";" parts "${PARTS}")
set(files)
foreach(part IN LISTS parts)
  if(IS_DIRECTORY "${SOURCE}/${part}")
    file(GLOB_RECURSE found LIST_DIRECTORIES false RELATIVE "${SOURCE}" "${SOURCE}/${part}/*")
    list(APPEND files ${found})
  elseif(EXISTS "${SOURCE}/${part}")
    list(APPEND files "${part}")
  else()
    message(FATAL_ERROR "CUPEL_SOURCES names ${part}, which ${SOURCE} does not have")
  endif()
endforeach()
if(NOT parts)
  file(GLOB_RECURSE files LIST_DIRECTORIES false RELATIVE "${SOURCE}" "${SOURCE}/*")
  set(trees ${files})
  list(FILTER trees INCLUDE REGEX "/CMakeCache\\.txt$")
  foreach(tree IN LISTS trees)
    cmake_path(GET tree PARENT_PATH tree)
    list(TRANSFORM files REPLACE "^${tree}/.*$" "")
  endforeach()
  list(FILTER files EXCLUDE REGEX "(^|/)\\.|^$")
endif()
list(SORT files COMPARE STRING)
list(REMOVE_DUPLICATES files)

set(text "")
foreach(file IN LISTS files)
  file(SHA256 "${SOURCE}/${file}" hash)
  string(APPEND text "${hash}  ${file}\n")
endforeach()
string(SHA256 id "${text}")

# Written only when different, so that nothing is compiled again for nothing.
file(MAKE_DIRECTORY "${OUTPUT}")
file(CONFIGURE OUTPUT "${OUTPUT}/sources.sha256" CONTENT "${text}" @ONLY)
file(CONFIGURE OUTPUT "${OUTPUT}/source_id.h" CONTENT "#define CUPEL_SOURCE_ID \"${id}\"\n" @ONLY)
