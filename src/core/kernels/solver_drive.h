// SPDX-License-Identifier: Apache-2.0
// The course of a run, one loop for every stepping: each lane proposes a step, all make it, each judges it, rows of the grid that
// were reached are stored. Body: include once per real type.

// Where a lane stands on the grid and on its step list.
typedef struct NC_N(nc_course) {
    NC_REAL time[NC_LANES];
    nc_u64 point[NC_LANES]; // the next grid point
    nc_u64 entry[NC_LANES]; // replay: the list's entry at `time`; else entries recorded
    nc_u64 entries[NC_LANES];
} NC_N(nc_course);

// The arrays of a run.
typedef struct NC_N(nc_arrays) {
    NC_GLOBAL const NC_REAL *grid;
    NC_GLOBAL NC_REAL *out, *list;
    NC_GLOBAL nc_i32 *report;
    NC_GLOBAL const nc_i32 *lengths;
} NC_N(nc_arrays);

// The first cell of a vector that is not finite or, unless that is allowed, negative.
NC_FN_LANES void NC_N(nc_state_check)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, NC_PRIVATE NC_N(nc_lanes) * lanes,
                                      NC_WORK_READ state)
{
    for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
        NC_FOR_LANES(lane, tile.first)
        {
            NC_REAL value = state[cell * NC_TILE + lane];
            if (lanes->busy[NC_LANE(lane)] != 0) {
                if (!NC_N(nc_is_finite)(value)) {
                    NC_N(nc_lane_fail)(lanes, lane, NC_LANE_NONFINITE, (nc_i32)cell);
                } else if (call->allow_negative == 0 && value < NC_C(0.0)) {
                    NC_N(nc_lane_fail)(lanes, lane, NC_LANE_NEGATIVE_STATE, (nc_i32)cell);
                }
            }
        }
    }
}

// Stores the state of a lane as row `row`, or NaN when it is absent.
NC_FN void NC_N(nc_row_store)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, nc_u64 number, nc_u32 lane, nc_u64 row,
                              nc_i32 present, NC_GLOBAL NC_REAL *out)
{
    NC_WORK_READ state = NC_N(nc_vector)(tile, NC_VECTOR_STATE);
    nc_operand place = nc_operand_row(call->out, row);
    nc_u64 trajectory = call->wave.first + number * NC_TILE + lane;
    for (nc_u32 cell = 0; cell < tile.cells && trajectory < call->wave.count; ++cell) {
        NC_REAL value = present != 0 ? state[cell * NC_TILE + lane] : NC_N(nc_nan)();
        out[nc_operand_at(place, trajectory, cell)] = NC_CANON(value);
    }
}

// Rows of all grid points that the lanes have reached.
NC_FN void NC_N(nc_course_store)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, nc_u64 number,
                                 NC_PRIVATE const NC_N(nc_lanes) * lanes, NC_PRIVATE NC_N(nc_course) * course,
                                 NC_N(nc_arrays) arrays)
{
    NC_FOR_LANES(lane, tile.first)
    {
        nc_u32 l = NC_LANE(lane);
        while (lanes->status[l] == NC_LANE_OK && course->point[l] < call->points &&
               arrays.grid[course->point[l]] <= course->time[l]) {
            if (call->history != 0) {
                NC_N(nc_row_store)(call, tile, number, lane, course->point[l], 1, arrays.out);
            }
            ++course->point[l];
        }
    }
}

// An adaptive run's step list gets the time of the lane.
NC_FN void NC_N(nc_course_record)(NC_PRIVATE const nc_solver_call *call, nc_u64 number, nc_u32 lane,
                                  NC_PRIVATE NC_N(nc_lanes) * lanes, NC_PRIVATE NC_N(nc_course) * course, NC_N(nc_arrays) arrays)
{
    nc_u32 l = NC_LANE(lane);
    nc_u64 trajectory = call->wave.first + number * NC_TILE + lane;
    if (call->records == 0) {
        return;
    }
    if (course->entry[l] >= call->capacity) {
        NC_N(nc_lane_fail)(lanes, lane, NC_LANE_STEP_LIST_FULL, -1);
        return;
    }
    if (trajectory < call->wave.count) {
        arrays.list[nc_operand_at(call->list, trajectory, course->entry[l])] = course->time[l];
    }
    ++course->entry[l];
    ++lanes->recorded[l];
}

// The next entry of a replayed list, or the lane's own time if there is none before the target.
NC_FN NC_REAL NC_N(nc_course_replay)(NC_PRIVATE const nc_solver_call *call, nc_u64 number, nc_u32 lane,
                                     NC_PRIVATE NC_N(nc_lanes) * lanes, NC_PRIVATE NC_N(nc_course) * course, NC_N(nc_arrays) arrays,
                                     NC_REAL target)
{
    nc_u32 l = NC_LANE(lane);
    nc_u64 trajectory = nc_wave_trajectory(call->wave, number, lane);
    NC_REAL to = course->time[l];
    if (course->entry[l] + 1u < course->entries[l]) {
        NC_REAL from = arrays.list[nc_operand_at(call->list, trajectory, course->entry[l])];
        ++course->entry[l];
        to = arrays.list[nc_operand_at(call->list, trajectory, course->entry[l])];
        if (from != course->time[l]) {
            to = course->time[l];
        }
    }
    if (!(to > course->time[l] && to <= target)) {
        NC_N(nc_lane_fail)(lanes, lane, NC_LANE_STEP_LIST_INVALID, -1);
    }
    return to;
}

// Each lane's next step. A lane that has failed or has reached the end stays where it is, with step 0.
NC_FN_LANES void NC_N(nc_course_propose)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, nc_u64 number,
                                         NC_PRIVATE NC_N(nc_lanes) * lanes, NC_PRIVATE NC_N(nc_course) * course,
                                         NC_N(nc_arrays) arrays)
{
    NC_FOR_LANES(lane, tile.first)
    {
        nc_u32 l = NC_LANE(lane);
        NC_REAL from = course->time[l], to = from;
        nc_i32 open = lanes->status[l] == NC_LANE_OK && course->point[l] < call->points;
        if (open && (nc_i64)lanes->accepted[l] + lanes->rejected[l] >= call->step_limit) {
            NC_N(nc_lane_fail)(lanes, lane, NC_LANE_STEP_LIMIT, -1);
            open = 0;
        }
        if (open) {
            to = arrays.grid[course->point[l]];
            if (call->stepping == NC_STEP_ADAPTIVE) {
                to = NC_N(nc_control_end)(from, lanes->wish[l], to);
            } else if (call->stepping == NC_STEP_REPLAY) {
                to = NC_N(nc_course_replay)(call, number, lane, lanes, course, arrays, to);
            }
            if (!(to > from)) {
                NC_N(nc_lane_fail)(lanes, lane, NC_LANE_STEP_TOO_SMALL, -1);
            }
        }
        lanes->from[l] = from;
        lanes->to[l] = to;
        lanes->step[l] = to - from;
        lanes->busy[l] = open && lanes->status[l] == NC_LANE_OK;
    }
}

// The next state becomes the state of every lane that made its step.
NC_FN_LANES void NC_N(nc_course_commit)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, nc_u64 number,
                                        NC_PRIVATE NC_N(nc_lanes) * lanes, NC_PRIVATE NC_N(nc_course) * course,
                                        NC_N(nc_arrays) arrays)
{
    NC_WORK state = NC_N(nc_vector)(tile, NC_VECTOR_STATE);
    NC_WORK_READ next = NC_N(nc_vector)(tile, NC_VECTOR_NEXT);
    NC_FOR_LANES(lane, tile.first)
    {
        nc_u32 l = NC_LANE(lane);
        lanes->busy[l] = lanes->busy[l] != 0 && lanes->status[l] == NC_LANE_OK;
        lanes->accepted[l] += lanes->busy[l];
        course->time[l] = lanes->busy[l] != 0 ? lanes->to[l] : course->time[l];
        lanes->step_before[l] = lanes->busy[l] != 0 ? lanes->step[l] : lanes->step_before[l];
    }
    if (call->method == NC_SOLVE_BDF2) {
        NC_WORK before = NC_N(nc_extra)(tile, NC_EXTRA_BEFORE);
        for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
            NC_FOR_LANES(lane, tile.first)
            {
                nc_u32 place = cell * NC_TILE + lane;
                before[place] = lanes->busy[NC_LANE(lane)] != 0 ? state[place] : before[place];
            }
        }
    }
    for (nc_u32 cell = 0; cell < tile.cells; ++cell) {
        NC_FOR_LANES(lane, tile.first)
        {
            nc_u32 place = cell * NC_TILE + lane;
            nc_i32 moves = lanes->busy[NC_LANE(lane)];
            state[place] = moves != 0 ? next[place] : state[place];
        }
    }
    NC_FOR_LANES(lane, tile.first)
    {
        if (lanes->busy[NC_LANE(lane)] != 0) {
            NC_N(nc_course_record)(call, number, lane, lanes, course, arrays);
        }
    }
}

// One step of every busy lane into the vector NEXT, by the method.
NC_FN void NC_N(nc_method_step)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, NC_PRIVATE NC_N(nc_lanes) * lanes)
{
    if (call->method <= NC_SOLVE_DOPRI5) {
        NC_N(nc_explicit_step)(tile, call->program, lanes, call->method);
    } else if (call->method == NC_SOLVE_ROS2) {
        NC_N(nc_ros2_step)(call, tile, lanes);
    } else if (call->method <= NC_SOLVE_SDIRK2) {
        NC_N(nc_newton_step)(call, tile, lanes);
    } else {
        NC_N(nc_imex_step)(call, tile, lanes);
    }
}

// Loads the state, checks it and stores the first row.
NC_FN void NC_N(nc_course_begin)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, nc_u64 number,
                                 NC_PRIVATE NC_N(nc_lanes) * lanes, NC_PRIVATE NC_N(nc_course) * course, NC_N(nc_arrays) arrays)
{
    NC_WORK state = NC_N(nc_vector)(tile, NC_VECTOR_STATE);
    NC_FOR_LANES(lane, tile.first)
    {
        nc_u32 l = NC_LANE(lane);
        nc_u64 trajectory = nc_wave_trajectory(call->wave, number, lane);
        lanes->from[l] = arrays.grid[0];
        lanes->to[l] = arrays.grid[0];
        lanes->step[l] = NC_C(0.0);
        lanes->step_before[l] = NC_C(0.0);
        lanes->factored[l] = NC_C(0.0);
        lanes->busy[l] = 1;
        lanes->status[l] = NC_LANE_OK;
        lanes->cell[l] = -1;
        lanes->accepted[l] = 0;
        lanes->rejected[l] = 0;
        lanes->newton[l] = 0;
        lanes->recorded[l] = 0;
        lanes->wish[l] = NC_C(0.0);
        lanes->rejects[l] = 0;
        course->time[l] = arrays.grid[0];
        course->point[l] = 0u;
        course->entry[l] = 0u;
        course->entries[l] = 0u;
        if (call->stepping == NC_STEP_REPLAY) {
            nc_i32 length = arrays.lengths[nc_operand_at(call->lengths, trajectory, 0u)];
            course->entries[l] = length > 0 && (nc_u64)length <= call->capacity ? (nc_u64)length : 0u;
        }
    }
    if (call->method == NC_SOLVE_BDF2) {
        NC_N(nc_vector_copy)(tile, state, NC_N(nc_extra)(tile, NC_EXTRA_BEFORE)); // nothing is before the start
    }
    NC_N(nc_state_check)(call, tile, lanes, state);
    NC_FOR_LANES(lane, tile.first)
    {
        if (lanes->status[NC_LANE(lane)] == NC_LANE_OK) {
            NC_N(nc_course_record)(call, number, lane, lanes, course, arrays);
        }
    }
    NC_N(nc_course_store)(call, tile, number, lanes, course, arrays);
}

NC_FN void NC_N(nc_course_report)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, nc_u64 number,
                                  NC_PRIVATE const NC_N(nc_lanes) * lanes, NC_PRIVATE const NC_N(nc_course) * course,
                                  NC_N(nc_arrays) arrays)
{
    NC_FOR_LANES(lane, tile.first)
    {
        nc_u32 l = NC_LANE(lane);
        nc_u64 trajectory = call->wave.first + number * NC_TILE + lane;
        nc_i32 failed_in_step = lanes->status[l] != NC_LANE_OK && course->point[l] > 0u; // not in the initial state
        nc_i32 row[NC_REPORT_WIDTH];
        row[0] = lanes->status[l];
        row[1] = lanes->accepted[l] + failed_in_step;
        row[2] = lanes->cell[l];
        row[3] = lanes->accepted[l];
        row[4] = lanes->rejected[l];
        row[5] = lanes->newton[l];
        row[6] = lanes->recorded[l];
        for (nc_u32 k = 0; k < NC_REPORT_WIDTH && trajectory < call->wave.count; ++k) {
            arrays.report[nc_operand_at(call->report, trajectory, k)] = row[k];
        }
    }
}

// The final state, or NaN wherever a failed lane did not get to.
NC_FN void NC_N(nc_course_end)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, nc_u64 number,
                               NC_PRIVATE const NC_N(nc_lanes) * lanes, NC_PRIVATE const NC_N(nc_course) * course,
                               NC_N(nc_arrays) arrays)
{
    NC_FOR_LANES(lane, tile.first)
    {
        nc_u32 l = NC_LANE(lane);
        if (call->history == 0) {
            NC_N(nc_row_store)(call, tile, number, lane, 0u, lanes->status[l] == NC_LANE_OK, arrays.out);
        }
        for (nc_u64 point = course->point[l]; call->history != 0 && point < call->points; ++point) {
            NC_N(nc_row_store)(call, tile, number, lane, point, 0, arrays.out);
        }
    }
}

NC_FN_LANES void NC_N(nc_course_run)(NC_PRIVATE const nc_solver_call *call, NC_N(nc_tile) tile, nc_u64 number,
                                     NC_N(nc_arrays) arrays)
{
    NC_N(nc_lanes) lanes;
    NC_N(nc_course) course;
    NC_REAL norm[NC_LANES];
    NC_N(nc_course_begin)(call, tile, number, &lanes, &course, arrays);
    if (call->stepping == NC_STEP_ADAPTIVE) {
        NC_N(nc_control_begin)(call, tile, &lanes);
    }
    NC_N(nc_course_propose)(call, tile, number, &lanes, &course, arrays);
    while (NC_N(nc_any_busy)(tile, &lanes) != 0) {
        if (call->stepping == NC_STEP_ADAPTIVE) {
            NC_N(nc_adaptive_step)(call, tile, &lanes, norm);
            NC_N(nc_control_judge)(call, tile, &lanes, norm);
        } else {
            NC_N(nc_method_step)(call, tile, &lanes);
        }
        NC_N(nc_state_check)(call, tile, &lanes, NC_N(nc_vector)(tile, NC_VECTOR_NEXT));
        NC_N(nc_course_commit)(call, tile, number, &lanes, &course, arrays);
        if (call->stepping == NC_STEP_ADAPTIVE) {
            NC_N(nc_control_reuse)(tile, &lanes);
        }
        NC_N(nc_course_store)(call, tile, number, &lanes, &course, arrays);
        NC_N(nc_course_propose)(call, tile, number, &lanes, &course, arrays);
    }
    NC_N(nc_course_report)(call, tile, number, &lanes, &course, arrays);
    NC_N(nc_course_end)(call, tile, number, &lanes, &course, arrays);
}
