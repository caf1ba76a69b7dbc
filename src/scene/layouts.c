// SPDX-License-Identifier: MIT
// The sizes of all structs of the interface, for programs in other languages; made by tools/generate_python. Do not edit.
#include "carom/facts.h"
#include "carom/file.h"
#include "carom/lock.h"
#include "carom/parallel.h"
#include "carom/picture.h"
#include "carom/profile.h"
#include "carom/report.h"
#include "carom/rigid.h"
#include "carom/run.h"
#include "carom/scene.h"
#include "carom/sim.h"
#include "carom/stepper.h"
#include "carom/study.h"
#include "carom/table.h"
#include "carom/text.h"
#include "carom/version.h"
#include "carom/view.h"

// clang-format off
#define LAYOUT(name) {#name, sizeof(name)}

static const carom_layout layouts[] = {
    LAYOUT(carom_error), LAYOUT(carom_pairs), LAYOUT(carom_param), LAYOUT(carom_kind), LAYOUT(carom_catalogue),
    LAYOUT(carom_pick), LAYOUT(carom_contact_side), LAYOUT(carom_contact), LAYOUT(carom_plane_def),
    LAYOUT(carom_contact_pair_def), LAYOUT(carom_contact_def), LAYOUT(carom_uniaxial), LAYOUT(carom_flow), LAYOUT(carom_losses),
    LAYOUT(carom_inelastic), LAYOUT(carom_material), LAYOUT(carom_substance), LAYOUT(carom_elastic_params),
    LAYOUT(carom_j2_params), LAYOUT(carom_mooney_rivlin_params), LAYOUT(carom_yeoh_params), LAYOUT(carom_gent_params),
    LAYOUT(carom_ogden_params), LAYOUT(carom_viscoelastic_params), LAYOUT(carom_cell_block), LAYOUT(carom_node_set),
    LAYOUT(carom_cell_set), LAYOUT(carom_face_set), LAYOUT(carom_mesh), LAYOUT(carom_generator), LAYOUT(carom_line_params),
    LAYOUT(carom_curve_params), LAYOUT(carom_point_params), LAYOUT(carom_rectangle_params), LAYOUT(carom_box_params),
    LAYOUT(carom_plate_params), LAYOUT(carom_ring_params), LAYOUT(carom_disc_params), LAYOUT(carom_hexagonal_disc_params),
    LAYOUT(carom_cylinder_params), LAYOUT(carom_tube_params), LAYOUT(carom_sphere_params), LAYOUT(carom_ball_params),
    LAYOUT(carom_cube_params), LAYOUT(carom_placement), LAYOUT(carom_mesh_read_def), LAYOUT(carom_file_params),
    LAYOUT(carom_mesh_faults), LAYOUT(carom_mesh_facts), LAYOUT(carom_block), LAYOUT(carom_group), LAYOUT(carom_limit),
    LAYOUT(carom_arrangement), LAYOUT(carom_element_field), LAYOUT(carom_framed), LAYOUT(carom_single),
    LAYOUT(carom_kinematics), LAYOUT(carom_element), LAYOUT(carom_bar_params), LAYOUT(carom_point_mass_params),
    LAYOUT(carom_plane_element_params), LAYOUT(carom_tet4_params), LAYOUT(carom_hex8_params), LAYOUT(carom_nodal_params),
    LAYOUT(carom_loop_shell_params), LAYOUT(carom_exact_beam_params), LAYOUT(carom_damping), LAYOUT(carom_material_def),
    LAYOUT(carom_schedule), LAYOUT(carom_obstacle_def), LAYOUT(carom_body_def), LAYOUT(carom_selection),
    LAYOUT(carom_restraint_def), LAYOUT(carom_load_def), LAYOUT(carom_tie_def), LAYOUT(carom_spot_def),
    LAYOUT(carom_connection_def), LAYOUT(carom_joint_def), LAYOUT(carom_spring_def), LAYOUT(carom_model_def),
    LAYOUT(carom_face), LAYOUT(carom_contact_extent), LAYOUT(carom_tied), LAYOUT(carom_unresolved), LAYOUT(carom_facts),
    LAYOUT(carom_shortest), LAYOUT(carom_units), LAYOUT(carom_probe_def), LAYOUT(carom_output_def),
    LAYOUT(carom_frame_forecast), LAYOUT(carom_page_body), LAYOUT(carom_page_run), LAYOUT(carom_page_def),
    LAYOUT(carom_page_facts), LAYOUT(carom_picture_def), LAYOUT(carom_picture_facts), LAYOUT(carom_animation_def),
    LAYOUT(carom_animation_facts), LAYOUT(carom_phase_time), LAYOUT(carom_rigid_params), LAYOUT(carom_rigid_motion),
    LAYOUT(carom_peak), LAYOUT(carom_filtered_peak), LAYOUT(carom_ledger_row), LAYOUT(carom_ledger_column),
    LAYOUT(carom_pair_record), LAYOUT(carom_claims), LAYOUT(carom_method_result), LAYOUT(carom_lack), LAYOUT(carom_integrator),
    LAYOUT(carom_multisymplectic_params), LAYOUT(carom_static_params), LAYOUT(carom_energy_momentum_params),
    LAYOUT(carom_nonsmooth_newmark_params), LAYOUT(carom_asynchronous_params), LAYOUT(carom_time_def), LAYOUT(carom_time_plan),
    LAYOUT(carom_device_use), LAYOUT(carom_division), LAYOUT(carom_hit_report), LAYOUT(carom_probe_reading),
    LAYOUT(carom_run_def), LAYOUT(carom_summary), LAYOUT(carom_verdict), LAYOUT(carom_pair_label), LAYOUT(carom_text),
    LAYOUT(carom_finding), LAYOUT(carom_findings), LAYOUT(carom_scene_source), LAYOUT(carom_scene_facts),
    LAYOUT(carom_scene_section), LAYOUT(carom_scene_key), LAYOUT(carom_study_def), LAYOUT(carom_study), LAYOUT(carom_csv_table),
    LAYOUT(carom_layout), LAYOUT(carom_view_cell), LAYOUT(carom_view_field)
};
// clang-format on

const carom_layout *carom_layouts(int *count) {
    *count = sizeof layouts / sizeof *layouts;
    return layouts;
}
