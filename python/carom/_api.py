# SPDX-License-Identifier: MIT
"""The C interface, made by tools/generate_python from include/carom. Do not edit."""
# pylint: skip-file
from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_float,
                    c_int, c_int64, c_long, c_size_t, c_ubyte, c_uint, c_uint32, c_uint64, c_ulong, c_void_p)  # noqa: F401

CAROM_OK = 0
CAROM_BAD_INPUT = 1
CAROM_NUMERICAL = 2
CAROM_IO = 3
CAROM_NO_MEMORY = 4
CAROM_INTERRUPTED = 5
CAROM_NAME_MAX = 64
CAROM_TEXT_MAX = 1024
CAROM_PRINTED_MAX = 2048
CAROM_PARAM_REAL = 0
CAROM_PARAM_INT = 1
CAROM_PARAM_BOOL = 2
CAROM_PARAM_CHOICE = 3
CAROM_PARAM_NAME = 4
CAROM_PARAM_TEXT = 5
CAROM_PARAM_VEC3 = 6
CAROM_PARAM_INT3 = 7
CAROM_PARAM_PAIRS = 8
CAROM_PAIRS_MAX = 32
CAROM_AUTO = -1
CAROM_PARAM_OPEN_MIN = 1
CAROM_PARAM_OPEN_MAX = 2
CAROM_PARAM_ALLOW_AUTO = 4
CAROM_PARAM_NONZERO = 8
CAROM_CONTACT_END_END = 0
CAROM_CONTACT_NODE_PLANE = 1
CAROM_CONTACT_NODE_FACE = 2
CAROM_CONTACT_EDGE_EDGE = 3
CAROM_CONTACT_NODE_SEGMENT = 4
CAROM_RESOLVE_EXACT = 0
CAROM_RESOLVE_PROJECTION = 1
CAROM_MOVES_PAIR = 0
CAROM_MOVES_NODE = 1
CAROM_ON_HOLD_WARN = 0
CAROM_ON_HOLD_STOP = 1
CAROM_LANES = 8
CAROM_USE_READ = 0
CAROM_USE_TRIAL = 1
CAROM_USE_COMMIT = 2
CAROM_POINT_SOLID = 0
CAROM_POINT_UNIAXIAL = 1
CAROM_POINT_SHEET = 2
CAROM_INNER_PLASTIC_STRAIN = 0
CAROM_INNER_TEMPERATURE = 1
CAROM_INNER_STRENGTH = 2
CAROM_HISTORY_MAX = 256
CAROM_HARDENING_LINEAR = 0
CAROM_HARDENING_VOCE = 1
CAROM_HARDENING_JOHNSON_COOK = 2
CAROM_HARDENING_TABLE = 3
CAROM_HARDENING_SWIFT = 4
CAROM_VISCOELASTIC_HENCKY = 0
CAROM_VISCOELASTIC_MOONEY_RIVLIN = 1
CAROM_VISCOELASTIC_YEOH = 2
CAROM_VISCOELASTIC_GENT = 3
CAROM_VISCOELASTIC_OGDEN = 4
CAROM_VISCOELASTIC_J2 = 5
CAROM_PLANE_STRAIN = 0
CAROM_PLANE_STRESS = 1
CAROM_CELL_POINT = 0
CAROM_CELL_LINE2 = 1
CAROM_CELL_TRI3 = 2
CAROM_CELL_QUAD4 = 3
CAROM_CELL_TET4 = 4
CAROM_CELL_HEX8 = 5
CAROM_CELL_WEDGE6 = 6
CAROM_CELL_TYPE_COUNT = 7
CAROM_CELL_NODES_MAX = 8
CAROM_MESH_CELLS_MAX = 100000000
CAROM_GRADING_NONE = 0
CAROM_GRADING_START = 1
CAROM_GRADING_END = 2
CAROM_PLANE_QUAD4 = 0
CAROM_PLANE_TRI3 = 1
CAROM_SOLID_HEX8 = 0
CAROM_SOLID_TET4 = 1
CAROM_REFINE_FROM = 0
CAROM_REFINE_TO = 1
CAROM_REFINE_BOTH = 2
CAROM_SPHERE_AUTO = 0
CAROM_SPHERE_OCTAHEDRAL = 1
CAROM_SPHERE_ICOSAHEDRAL = 2
CAROM_SPHERE_TETRAHEDRAL = 3
CAROM_SPHERE_CUBE = 4
CAROM_MESH_AUTO = 0
CAROM_MESH_MSH = 1
CAROM_MESH_INP = 2
CAROM_MESH_STL = 3
CAROM_MESH_OBJ = 4
CAROM_MESH_PLY = 5
CAROM_MESH_VTU = 6
CAROM_MESH_VTK = 7
CAROM_MESH_MEDIT = 8
CAROM_MESH_UNV = 9
CAROM_FILE_PRISMS_WHOLE = 0
CAROM_FILE_PRISMS_CUT = 1
CAROM_FAULT_INVERTED = 0
CAROM_FAULT_DEGENERATE = 1
CAROM_FAULT_UNUSED = 2
CAROM_FAULT_DUPLICATE = 3
CAROM_FAULT_NON_MANIFOLD = 4
CAROM_FAULT_ORIENTATION = 5
CAROM_FAULT_OVERLAP = 6
CAROM_FAULT_OPEN = 7
CAROM_FAULT_COUNT = 8
CAROM_FAULT_EXAMPLES = 8
CAROM_QUALITY_BINS = 10
CAROM_BLOCK_PLASTICITY = 0
CAROM_BLOCK_PLASTICITY_REST = 1
CAROM_BLOCK_VISCOSITY = 2
CAROM_BLOCK_VISCOSITY_REST = 3
CAROM_BLOCK_PENDING = 4
CAROM_BLOCK_LOSSES = 5
CAROM_ELEMENT_FIELDS_MAX = 8
CAROM_ELEMENT_PARTS = 2
CAROM_OUTLINE_MAX = 16
CAROM_BOUND_RATE = 0
CAROM_BOUND_LIMIT = 1
CAROM_BOUND_VOLUME = 2
CAROM_BOUND_MEASURES = 3
CAROM_BAR_SMALL = 0
CAROM_BAR_GREEN = 1
CAROM_BAR_LOG = 2
CAROM_QUAD4_FULL = 0
CAROM_QUAD4_MEAN_DILATATION = 1
CAROM_TET4_CELL = 0
CAROM_TET4_NODAL = 1
CAROM_HEX8_FULL = 0
CAROM_HEX8_ONE_POINT = 1
CAROM_HEX8_MEAN_DILATATION = 2
CAROM_SHELL_ONE_POINT = 0
CAROM_SHELL_THREE_POINT = 1
CAROM_SECTION_RECTANGLE = 0
CAROM_SECTION_CIRCLE = 1
CAROM_SECTION_DIRECT = 2
CAROM_NATURAL_STRAIGHT = 0
CAROM_NATURAL_MESH = 1
CAROM_JOINT_HINGE = 0
CAROM_JOINT_BALL = 1
CAROM_JOINT_SLIDER = 2
CAROM_JOINT_CYLINDER = 3
CAROM_JOINT_PLANAR = 4
CAROM_JOINT_UPRIGHT = 5
CAROM_PATH_MAX = 1152
CAROM_PARTITION_BISECTION = 0
CAROM_PARTITION_SCOTCH = 1
CAROM_FILTER_NONE = 0
CAROM_FILTER_CFC_60 = 1
CAROM_FILTER_CFC_180 = 2
CAROM_FILTER_CFC_600 = 3
CAROM_FILTER_CFC_1000 = 4
CAROM_FIELDS_VTU = 0
CAROM_FIELDS_VTKHDF = 1
CAROM_FIELDS_BOTH = 2
CAROM_PRECISION_AUTO = 0
CAROM_PRECISION_SINGLE = 1
CAROM_PRECISION_DOUBLE = 2
CAROM_SWITCH_AUTO = 0
CAROM_SWITCH_OFF = 1
CAROM_SWITCH_ON = 2
CAROM_PICTURE_PEAK = 0
CAROM_PICTURE_START = 1
CAROM_PICTURE_END = 2
CAROM_PICTURE_TIME = 3
CAROM_PICTURE_USUAL = 0
CAROM_PICTURE_ALONG_X = 1
CAROM_PICTURE_ALONG_Y = 2
CAROM_PICTURE_ALONG_Z = 3
CAROM_PICTURE_ANGLES = 4
CAROM_PHASE_SETUP = 0
CAROM_PHASE_ELEMENTS = 1
CAROM_PHASE_NODES = 2
CAROM_PHASE_SEARCH = 3
CAROM_PHASE_HITS = 4
CAROM_PHASE_REST = 5
CAROM_PHASE_FOLLOWING = 6
CAROM_PHASE_SOLVING = 7
CAROM_PHASE_GUARDS = 8
CAROM_PHASE_PEAKS = 9
CAROM_PHASE_ROWS = 10
CAROM_PHASE_AUDITS = 11
CAROM_PHASE_OUTPUT = 12
CAROM_PHASE_WAITING = 13
CAROM_PHASE_EXCHANGE = 14
CAROM_PHASE_AGREEMENT = 15
CAROM_PHASE_BALANCING = 16
CAROM_PHASE_OTHER = 17
CAROM_PHASE_COUNT = 18
CAROM_PEAK_VON_MISES = 0
CAROM_PEAK_PRINCIPAL = 1
CAROM_PEAK_LEAST = 2
CAROM_PEAK_STRAIN = 3
CAROM_PEAK_KINDS = 4
CAROM_LEDGER_OTHER = 0
CAROM_LEDGER_PART = 1
CAROM_LEDGER_TOTAL = 2
CAROM_LEDGER_LOSS = 3
CAROM_LEDGER_KNOWN = 4
CAROM_LEDGER_RESIDUAL = 5
CAROM_LEDGER_ALWAYS = 0
CAROM_LEDGER_DAMPED = 1
CAROM_LEDGER_INELASTIC = 2
CAROM_EVENT_NOT_FINITE = 0
CAROM_EVENT_CONTACT_SETTLED = 1
CAROM_EVENT_CONTACT_HELD = 2
CAROM_EVENT_UNSTABLE_STEP = 3
CAROM_EVENT_INVERTED = 4
CAROM_EVENT_CONTACT_MISSED = 5
CAROM_EVENT_LOST_STABILITY = 6
CAROM_EVENT_CONTACT_AMBIGUOUS = 7
CAROM_EVENT_ENERGY_GROWTH = 8
CAROM_EVENT_UNBALANCED = 9
CAROM_EVENT_LARGE_ROTATION = 10
CAROM_EVENT_COUNT = 11
CAROM_ON_EVENT_STOP = 0
CAROM_ON_EVENT_WARN = 1
CAROM_LOSS_FRICTION = 0
CAROM_LOSS_RESTITUTION = 1
CAROM_LOSS_PROJECTION = 2
CAROM_LOSS_DAMPING = 3
CAROM_ENERGY_NONE = 0
CAROM_ENERGY_BOUNDED = 1
CAROM_ENERGY_EXACT = 2
CAROM_RESULT_COUNTS = 0
CAROM_RESULT_NODAL = 1
CAROM_RESULT_RESULTANTS = 2
CAROM_RESULT_STABLE_TO = 3
CAROM_NEED_NONE = 0
CAROM_NEED_FRAMES = 1
CAROM_NEED_RIGID = 2
CAROM_NEED_TIES = 3
CAROM_NEED_WINDOWS = 4
CAROM_NEED_OBSTACLES = 5
CAROM_NEED_HISTORY = 6
CAROM_NEED_BRANCHES = 7
CAROM_NEED_DAMPING = 8
CAROM_NEED_STIFFNESS_DAMPING = 9
CAROM_NEED_SCHEDULES = 10
CAROM_NEED_CONTACT = 11
CAROM_NEED_SURFACES = 12
CAROM_NEED_RESTITUTION = 13
CAROM_NEED_FRICTION = 14
CAROM_NEED_COUNT = 15
CAROM_SHARES_NOTHING = 0
CAROM_SHARES_PARTS = 1
CAROM_SHARES_SOLVER = 2
CAROM_START_LEVEL = 0
CAROM_START_SLAB = 1
CAROM_RULE_AUTO = 0
CAROM_RULE_KINKED = 1
CAROM_RULE_TARGET = 2
CAROM_RULE_PRINTED = 3
CAROM_SOLVER_AUTO = 0
CAROM_SOLVER_DIRECT = 1
CAROM_SOLVER_CG = 2
CAROM_SOLVER_PETSC = 3
CAROM_EM_CONSERVING = 0
CAROM_EM_MIDPOINT = 1
CAROM_EM_NEWMARK = 2
CAROM_EM_UPDATE_OFF = 0
CAROM_EM_UPDATE_ON = 1
CAROM_EM_UPDATE_SMALLEST = 2
CAROM_EM_FRICTION_COULOMB = 0
CAROM_EM_FRICTION_PAPER = 1
CAROM_NONSMOOTH_MIDPOINT = 0
CAROM_NONSMOOTH_END = 1
CAROM_NONSMOOTH_CROSSED = 0
CAROM_NONSMOOTH_CLOSEST = 1
CAROM_NONSMOOTH_SIGNED = 0
CAROM_NONSMOOTH_GAP = 1
CAROM_NONSMOOTH_RATE = 0
CAROM_NONSMOOTH_INCREMENT = 1
CAROM_NONSMOOTH_CONSTRAINT = 0
CAROM_NONSMOOTH_PENALTY = 1
CAROM_ASYNCHRONOUS_EXACT = 0
CAROM_ASYNCHRONOUS_SEQUENTIAL = 1
CAROM_ASYNCHRONOUS_CONSTANT = 2
CAROM_ASYNCHRONOUS_ADAPTIVE = 3
CAROM_FOLLOW_AUTO = 0
CAROM_FOLLOW_ON = 1
CAROM_FOLLOW_OFF = 2
CAROM_PROGRESS_NONE = 0
CAROM_PROGRESS_LINES = 1
CAROM_PROGRESS_BAR = 2
CAROM_REFERENCE_NONE = 0
CAROM_REFERENCE_EXACT = 1
CAROM_REFERENCE_PUBLISHED = 2
CAROM_REFERENCE_LAW = 3
CAROM_SCENE_KEYS_MAX = 64
CAROM_STUDY_KEYS_MAX = 32
CAROM_STUDY_POINTS_MAX = 100000
CAROM_STUDY_FOLDER_MAX = 128


class carom_error(Structure):
    _fields_ = [
        ("status", c_int),
        ("message", c_char * 1024),
    ]


class carom_pairs(Structure):
    _fields_ = [
        ("count", c_int),
        ("rows", c_double * 2 * 32),
    ]


class carom_param(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("type", c_int),
        ("offset", c_size_t),
        ("unit", c_char_p),
        ("initial", c_char_p),
        ("min", c_double),
        ("max", c_double),
        ("flags", c_uint),
        ("choices", POINTER(c_char_p)),
        ("doc", c_char_p),
    ]


class carom_kind(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("summary", c_char_p),
        ("reference", c_char_p),
        ("params", POINTER(carom_param)),
        ("param_count", c_int),
        ("params_size", c_size_t),
    ]


class carom_catalogue(Structure):
    _fields_ = [
        ("family", c_char_p),
        ("count", c_int),
        ("kinds", c_void_p),
    ]


class carom_pick(Structure):
    _fields_ = [
        ("kind", POINTER(carom_kind)),
        ("params", c_void_p),
    ]


class carom_contact_side(Structure):
    _fields_ = [
        ("centre", c_int),
        ("turn", c_int),
        ("sign", c_double),
        ("arm", c_double * 3),
    ]


class carom_contact(Structure):
    _fields_ = [
        ("kind", c_int),
        ("count", c_int),
        ("node", c_int * 4),
        ("weight", c_double * 4),
        ("normal", c_double * 3),
        ("offset", c_double),
        ("body", c_int * 2),
        ("rigid_nodes", c_int * 2),
        ("side", carom_contact_side * 2),
    ]


class carom_plane_def(Structure):
    _fields_ = [
        ("name", c_char * 64),
        ("point", c_double * 3),
        ("normal", c_double * 3),
    ]


class carom_contact_pair_def(Structure):
    _fields_ = [
        ("side", c_char * 64 * 2),
        ("touch", c_bool),
        ("restitution", c_double),
        ("friction", c_double),
        ("friction_kinetic", c_double),
        ("friction_decay", c_double),
    ]


class carom_contact_def(Structure):
    _fields_ = [
        ("enabled", c_bool),
        ("restitution", c_double),
        ("friction", c_double),
        ("friction_kinetic", c_double),
        ("friction_decay", c_double),
        ("resolve", c_int),
        ("layer", c_double),
        ("thickness", c_double),
        ("on_hold", c_int),
        ("return_work", c_bool),
        ("moves", c_int),
        ("return_spin", c_bool),
        ("self", c_bool),
        ("plane_count", c_int),
        ("planes", POINTER(carom_plane_def)),
        ("pair_count", c_int),
        ("pairs", POINTER(carom_contact_pair_def)),
    ]


class carom_uniaxial(Structure):
    _fields_ = [
        ("energy", c_double),
        ("stress", c_double),
        ("tangent", c_double),
    ]


class carom_flow(Structure):
    _fields_ = [
        ("use", c_int),
        ("before", c_double),
        ("after", c_double),
        ("isochoric", c_bool),
        ("still", c_bool),
    ]


class carom_losses(Structure):
    _fields_ = [
        ("plasticity", c_double),
        ("viscosity", c_double),
        ("pending", c_double),
        ("potential", c_double),
    ]


class carom_inelastic(Structure):
    _fields_ = [
        ("size", CFUNCTYPE(c_int, c_void_p, c_int)),
        ("start", CFUNCTYPE(None, c_void_p, c_int, c_void_p)),
        ("solid", CFUNCTYPE(c_double, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p)),
        ("uniaxial", c_void_p),
        ("sheet", CFUNCTYPE(c_double, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p)),
        ("show", CFUNCTYPE(c_double, c_void_p, c_int, c_void_p, c_int)),
        ("relaxation", c_void_p),
        ("ages", CFUNCTYPE(c_bool, c_void_p)),
        ("small_elastic", c_bool),
    ]


class carom_material(Structure):
    _fields_ = [
        ("kind", carom_kind),
        ("nonnegative", c_bool),
        ("barrier", c_bool),
        ("quadratic", c_bool),
        ("small", c_bool),
        ("stiffens", c_bool),
        ("cancels", c_bool),
        ("density", CFUNCTYPE(c_double, c_void_p)),
        ("uniaxial", c_void_p),
        ("solid", CFUNCTYPE(c_double, c_void_p, c_void_p, c_void_p, c_void_p)),
        ("thinning", CFUNCTYPE(c_double, c_void_p, c_void_p)),
        ("shear", CFUNCTYPE(c_double, c_void_p)),
        ("young", CFUNCTYPE(c_double, c_void_p)),
        ("sheet", CFUNCTYPE(c_double, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p)),
        ("bulk", CFUNCTYPE(c_double, c_void_p)),
        ("isochoric", CFUNCTYPE(c_double, c_void_p, c_void_p, c_void_p, c_void_p)),
        ("fault", CFUNCTYPE(c_char_p, c_void_p, c_void_p)),
        ("inelastic", POINTER(carom_inelastic)),
    ]


class carom_substance(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("law", c_char_p),
        ("summary", c_char_p),
        ("values", c_char_p),
        ("source", c_char_p),
    ]


class carom_elastic_params(Structure):
    _fields_ = [
        ("young", c_double),
        ("poisson", c_double),
        ("density", c_double),
    ]


class carom_j2_params(Structure):
    _fields_ = [
        ("elastic", carom_elastic_params),
        ("yield", c_double),
        ("hardening", c_int),
        ("modulus", c_double),
        ("saturation", c_double),
        ("decay", c_double),
        ("strength", c_double),
        ("exponent", c_double),
        ("rate", c_double),
        ("reference_rate", c_double),
        ("softening", c_double),
        ("temperature", c_double),
        ("melting", c_double),
        ("heat_capacity", c_double),
        ("heat_share", c_double),
        ("curve", carom_pairs),
        ("prestrain", c_double),
    ]


class carom_mooney_rivlin_params(Structure):
    _fields_ = [
        ("c10", c_double),
        ("c01", c_double),
        ("bulk", c_double),
        ("density", c_double),
    ]


class carom_yeoh_params(Structure):
    _fields_ = [
        ("c1", c_double),
        ("c2", c_double),
        ("c3", c_double),
        ("bulk", c_double),
        ("density", c_double),
    ]


class carom_gent_params(Structure):
    _fields_ = [
        ("shear", c_double),
        ("limit", c_double),
        ("bulk", c_double),
        ("density", c_double),
    ]


class carom_ogden_params(Structure):
    _fields_ = [
        ("terms", carom_pairs),
        ("bulk", c_double),
        ("density", c_double),
    ]


class carom_viscoelastic_params(Structure):
    _fields_ = [
        ("law", c_int),
        ("j2", carom_j2_params),
        ("mooney_rivlin", carom_mooney_rivlin_params),
        ("yeoh", carom_yeoh_params),
        ("gent", carom_gent_params),
        ("ogden", carom_ogden_params),
        ("bulk", c_double),
        ("prony", carom_pairs),
    ]


class carom_cell_block(Structure):
    _fields_ = [
        ("type", c_int),
        ("count", c_int),
        ("nodes", c_void_p),
        ("ids", c_void_p),
    ]


class carom_node_set(Structure):
    _fields_ = [
        ("name", c_char * 64),
        ("count", c_int),
        ("nodes", c_void_p),
    ]


class carom_cell_set(Structure):
    _fields_ = [
        ("name", c_char * 64),
        ("count", c_int),
        ("cells", c_void_p),
    ]


class carom_face_set(Structure):
    _fields_ = [
        ("name", c_char * 64),
        ("count", c_int),
        ("nodes", c_void_p),
    ]


class carom_mesh(Structure):
    _fields_ = [
        ("node_count", c_int),
        ("nodes", c_void_p),
        ("node_ids", c_void_p),
        ("frames", c_void_p),
        ("velocities", c_void_p),
        ("spins", c_void_p),
        ("block_count", c_int),
        ("blocks", POINTER(carom_cell_block)),
        ("set_count", c_int),
        ("sets", POINTER(carom_node_set)),
        ("cell_set_count", c_int),
        ("cell_sets", POINTER(carom_cell_set)),
        ("face_set_count", c_int),
        ("face_sets", POINTER(carom_face_set)),
    ]


class carom_generator(Structure):
    _fields_ = [
        ("kind", carom_kind),
        ("cell_count", CFUNCTYPE(c_double, c_void_p)),
        ("generate", CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)),
    ]


class carom_line_params(Structure):
    _fields_ = [
        ("from", c_double * 3),
        ("to", c_double * 3),
        ("elements", c_int),
        ("grading", c_int),
    ]


class carom_curve_params(Structure):
    _fields_ = [
        ("start", c_double * 3),
        ("turn", c_double * 3),
        ("length", c_double),
        ("elements", c_int),
        ("curvature", c_double * 3),
        ("strain", c_double * 3),
        ("over", c_double),
        ("next_start", c_double * 3),
        ("next_turn", c_double * 3),
        ("next_curvature", c_double * 3),
        ("next_strain", c_double * 3),
    ]


class carom_point_params(Structure):
    _fields_ = [
        ("at", c_double * 3),
    ]


class carom_rectangle_params(Structure):
    _fields_ = [
        ("from", c_double * 3),
        ("to", c_double * 3),
        ("columns", c_int),
        ("rows", c_int),
        ("cells", c_int),
    ]


class carom_box_params(Structure):
    _fields_ = [
        ("from", c_double * 3),
        ("to", c_double * 3),
        ("elements", c_int * 3),
        ("cells", c_int),
        ("grading", c_double * 3),
        ("blend", c_double * 3),
        ("refine", c_int),
    ]


class carom_plate_params(Structure):
    _fields_ = [
        ("center", c_double * 3),
        ("length", c_double),
        ("width", c_double),
        ("thickness", c_double),
        ("columns", c_int),
        ("rows", c_int),
        ("layers", c_int),
        ("cells", c_int),
    ]


class carom_ring_params(Structure):
    _fields_ = [
        ("center", c_double * 3),
        ("inner", c_double),
        ("outer", c_double),
        ("around", c_int),
        ("layers", c_int),
        ("cells", c_int),
    ]


class carom_disc_params(Structure):
    _fields_ = [
        ("center", c_double * 3),
        ("radius", c_double),
        ("divisions", c_int),
        ("layers", c_int),
        ("cells", c_int),
    ]


class carom_hexagonal_disc_params(Structure):
    _fields_ = [
        ("center", c_double * 3),
        ("radius", c_double),
        ("rings", c_int),
    ]


class carom_cylinder_params(Structure):
    _fields_ = [
        ("center", c_double * 3),
        ("radius", c_double),
        ("height", c_double),
        ("divisions", c_int),
        ("layers", c_int),
        ("slices", c_int),
        ("cells", c_int),
    ]


class carom_tube_params(Structure):
    _fields_ = [
        ("center", c_double * 3),
        ("inner", c_double),
        ("outer", c_double),
        ("height", c_double),
        ("around", c_int),
        ("layers", c_int),
        ("slices", c_int),
        ("cells", c_int),
    ]


class carom_sphere_params(Structure):
    _fields_ = [
        ("center", c_double * 3),
        ("radius", c_double),
        ("faces", c_int),
        ("pattern", c_int),
    ]


class carom_ball_params(Structure):
    _fields_ = [
        ("center", c_double * 3),
        ("radius", c_double),
        ("divisions", c_int),
        ("layers", c_int),
        ("cells", c_int),
    ]


class carom_cube_params(Structure):
    _fields_ = [
        ("center", c_double * 3),
        ("side", c_double),
        ("divisions", c_int),
    ]


class carom_placement(Structure):
    _fields_ = [
        ("scale", c_double * 3),
        ("axis", c_double * 3),
        ("angle", c_double),
        ("translate", c_double * 3),
        ("copies", c_int * 3),
        ("spacing", c_double * 3),
    ]


class carom_mesh_read_def(Structure):
    _fields_ = [
        ("format", c_int),
        ("group", c_char_p),
        ("warn", CFUNCTYPE(None, c_void_p, c_char_p)),
        ("context", c_void_p),
        ("cut_prisms", c_bool),
    ]


class carom_file_params(Structure):
    _fields_ = [
        ("path", c_char * 1024),
        ("group", c_char * 64),
        ("prisms", c_int),
    ]


class carom_mesh_faults(Structure):
    _fields_ = [
        ("count", c_int64 * 8),
        ("example", c_int64 * 2 * 8 * 8),
    ]


class carom_mesh_facts(Structure):
    _fields_ = [
        ("low", c_double * 3),
        ("high", c_double * 3),
        ("volume", c_double),
        ("area", c_double),
        ("length", c_double),
        ("shortest_edge", c_double),
        ("longest_edge", c_double),
        ("quality", c_int64 * 10),
        ("worst_quality", c_double),
        ("closed", c_bool),
    ]


class carom_block(Structure):
    _fields_ = [
        ("element", c_void_p),
        ("params", c_void_p),
        ("material", POINTER(carom_material)),
        ("material_params", c_void_p),
        ("body", c_int),
        ("count", c_int),
        ("nodes", c_void_p),
        ("data", c_void_p),
        ("ids", c_void_p),
        ("cells", c_void_p),
        ("node_count", c_int),
        ("data_size", c_int),
        ("variant", c_int),
        ("point_count", c_int),
        ("form", c_int),
        ("history_size", c_int),
        ("history", c_void_p),
        ("losses", c_void_p),
        ("flow", POINTER(carom_flow)),
    ]


class carom_group(Structure):
    _fields_ = [
        ("element", c_void_p),
        ("count", c_int),
        ("node_count", c_int),
        ("data_size", c_int),
        ("variant", c_int),
        ("nodes", c_void_p),
        ("cells", c_void_p),
        ("data", c_void_p),
    ]


class carom_limit(Structure):
    _fields_ = [
        ("begin", c_void_p),
        ("nodes", c_void_p),
        ("weight", c_void_p),
        ("offset", c_void_p),
    ]


class carom_arrangement(Structure):
    _fields_ = [
        ("group_count", c_int),
        ("groups", POINTER(carom_group)),
        ("limit", carom_limit),
    ]


class carom_element_field(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("components", c_int),
    ]


class carom_framed(Structure):
    _fields_ = [
        ("frames", CFUNCTYPE(None, c_void_p, c_void_p, c_void_p)),
        ("prepare", CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p)),
        ("energy", CFUNCTYPE(None, c_void_p, c_int, c_int, c_void_p, c_void_p, c_void_p)),
        ("wrench", CFUNCTYPE(None, c_void_p, c_int, c_int, c_void_p, c_void_p, c_void_p)),
        ("stable_step", CFUNCTYPE(None, c_void_p, c_int, c_int, c_void_p)),
        ("field", CFUNCTYPE(None, c_void_p, c_int, c_int, c_void_p, c_void_p, c_int, c_void_p)),
        ("outline", CFUNCTYPE(c_int, c_void_p, c_void_p)),
    ]


class carom_single(Structure):
    _fields_ = [
        ("data_size", c_int),
        ("prepare", CFUNCTYPE(None, c_void_p, c_int, c_void_p, c_void_p)),
        ("force", CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_void_p)),
    ]


class carom_kinematics(Structure):
    _fields_ = [
        ("X", c_void_p),
        ("x", c_void_p),
        ("v", c_void_p),
        ("a", c_void_p),
    ]


class carom_element(Structure):
    _fields_ = [
        ("kind", carom_kind),
        ("cell", c_int),
        ("also", c_int),
        ("node_count", c_int),
        ("data_size", c_int),
        ("needs_material", c_bool),
        ("may_have_material", c_bool),
        ("nonnegative", c_bool),
        ("plane", c_bool),
        ("fields", carom_element_field * 8),
        ("parts", c_char_p * 2),
        ("accepts", CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)),
        ("points", CFUNCTYPE(c_int, c_void_p, c_void_p)),
        ("settle", CFUNCTYPE(None, c_void_p, c_bool)),
        ("arrange", CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p)),
        ("prepare", CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_void_p)),
        ("energy", CFUNCTYPE(None, c_void_p, c_int, c_int, c_void_p, c_void_p, c_void_p)),
        ("force", CFUNCTYPE(None, c_void_p, c_int, c_int, c_void_p, c_void_p, c_void_p)),
        ("stiffness", CFUNCTYPE(None, c_void_p, c_int, c_int, c_void_p, c_void_p, c_void_p)),
        ("balanced", CFUNCTYPE(None, c_void_p, c_int, c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p)),
        ("stable_step", CFUNCTYPE(None, c_void_p, c_int, c_int, c_void_p, c_void_p, c_void_p)),
        ("body_step", CFUNCTYPE(c_double, c_void_p, c_int, c_void_p)),
        ("stiffens", CFUNCTYPE(c_bool, c_void_p)),
        ("bound", CFUNCTYPE(None, c_void_p, c_int, c_int, c_void_p, c_void_p, c_void_p)),
        ("volume", CFUNCTYPE(None, c_void_p, c_int, c_int, c_void_p, c_void_p)),
        ("split", CFUNCTYPE(None, c_void_p, c_int, c_int, c_void_p, c_void_p, c_void_p)),
        ("measure", CFUNCTYPE(None, c_void_p, c_int, c_int, c_void_p, c_void_p, c_void_p)),
        ("single", CFUNCTYPE(POINTER(carom_single), c_void_p)),
        ("field", CFUNCTYPE(None, c_void_p, c_int, c_int, c_void_p, c_void_p, c_int, c_void_p)),
        ("show", CFUNCTYPE(None, c_void_p, c_int, c_int, c_void_p, c_void_p, c_void_p)),
        ("turns_freely", CFUNCTYPE(c_bool, c_void_p)),
        ("section", CFUNCTYPE(c_double, c_void_p)),
        ("framed", POINTER(carom_framed)),
        ("acting", CFUNCTYPE(c_void_p, c_void_p)),
        ("parted", c_bool),
    ]


class carom_bar_params(Structure):
    _fields_ = [
        ("area", c_double),
        ("strain", c_int),
    ]


class carom_point_mass_params(Structure):
    _fields_ = [
        ("mass", c_double),
    ]


class carom_plane_element_params(Structure):
    _fields_ = [
        ("thickness", c_double),
        ("plane", c_int),
        ("integration", c_int),
    ]


class carom_tet4_params(Structure):
    _fields_ = [
        ("volume", c_int),
    ]


class carom_hex8_params(Structure):
    _fields_ = [
        ("integration", c_int),
        ("hourglass", c_double),
    ]


class carom_nodal_params(Structure):
    _fields_ = [
        ("stabilisation", c_double),
    ]


class carom_loop_shell_params(Structure):
    _fields_ = [
        ("thickness", c_double),
        ("integration", c_int),
        ("layers", c_int),
        ("symmetry", c_char * 1024),
        ("clamped", c_char * 1024),
    ]


class carom_exact_beam_params(Structure):
    _fields_ = [
        ("section", c_int),
        ("width", c_double),
        ("height", c_double),
        ("radius", c_double),
        ("shear_factor", c_double),
        ("torsion_factor", c_double),
        ("stretch_stiffness", c_double * 3),
        ("bend_stiffness", c_double * 3),
        ("line_mass", c_double),
        ("line_inertia", c_double * 3),
        ("axis", c_double * 3),
        ("natural", c_int),
    ]


class carom_damping(Structure):
    _fields_ = [
        ("mass", c_double),
        ("stiffness", c_double),
    ]


class carom_material_def_in_box(Structure):
    _fields_ = [
        ("given", c_bool),
        ("low", c_double * 3),
        ("high", c_double * 3),
    ]


class carom_material_def(Structure):
    _fields_ = [
        ("set", c_char * 64),
        ("in_box", carom_material_def_in_box),
        ("material", carom_pick),
    ]


class carom_schedule(Structure):
    _fields_ = [
        ("ramp", c_double),
        ("count", c_int),
        ("points", c_void_p),
    ]


class carom_obstacle_def(Structure):
    _fields_ = [
        ("velocity", c_double * 3),
        ("schedule", carom_schedule),
        ("motion_count", c_int),
        ("motion", c_void_p),
        ("path_count", c_int),
        ("path", c_void_p),
        ("rate", c_double),
        ("turning", carom_schedule),
        ("axis", c_double * 3),
        ("point", c_double * 3),
        ("shape_count", c_int),
        ("shape_times", c_void_p),
        ("shapes", POINTER(c_void_p)),
        ("cell", c_double * 3),
    ]


class carom_body_def(Structure):
    _fields_ = [
        ("name", c_char * 64),
        ("group", c_char * 64),
        ("mesh", POINTER(carom_mesh)),
        ("element", carom_pick),
        ("material", carom_pick),
        ("material_count", c_int),
        ("materials", POINTER(carom_material_def)),
        ("velocity", c_double * 3),
        ("spin", c_double * 3),
        ("damping", carom_damping),
        ("obstacle", POINTER(carom_obstacle_def)),
        ("stands_on", c_char * 64),
    ]


class carom_selection_in_box(Structure):
    _fields_ = [
        ("given", c_bool),
        ("low", c_double * 3),
        ("high", c_double * 3),
    ]


class carom_selection_on_plane(Structure):
    _fields_ = [
        ("given", c_bool),
        ("point", c_double * 3),
        ("normal", c_double * 3),
        ("within", c_double),
    ]


class carom_selection_in_sphere(Structure):
    _fields_ = [
        ("given", c_bool),
        ("center", c_double * 3),
        ("radius", c_double),
    ]


class carom_selection_nearest(Structure):
    _fields_ = [
        ("given", c_bool),
        ("to", c_double * 3),
    ]


class carom_selection(Structure):
    _fields_ = [
        ("body", c_char * 64),
        ("set", c_char * 64),
        ("node", c_int),
        ("in_box", carom_selection_in_box),
        ("on_plane", carom_selection_on_plane),
        ("in_sphere", carom_selection_in_sphere),
        ("nearest", carom_selection_nearest),
    ]


class carom_restraint_def(Structure):
    _fields_ = [
        ("where", carom_selection),
        ("clamped", c_bool),
        ("direction_count", c_int),
        ("direction", c_double * 3 * 3),
        ("velocity", c_double * 3),
        ("schedule", carom_schedule),
        ("motion_count", c_int),
        ("motion", c_void_p),
        ("from", c_double),
        ("until", c_double),
    ]


class carom_load_def(Structure):
    _fields_ = [
        ("where", carom_selection),
        ("force", c_double * 3),
        ("acceleration", c_double * 3),
        ("traction", c_double * 3),
        ("pressure", c_double),
        ("dead", c_bool),
        ("schedule", carom_schedule),
        ("function", CFUNCTYPE(None, c_void_p, c_double, c_int, c_void_p, c_void_p)),
        ("array_function", CFUNCTYPE(None, c_void_p, c_double, c_double, c_int, c_void_p, c_void_p, c_void_p)),
        ("context", c_void_p),
    ]


class carom_tie_def(Structure):
    _fields_ = [
        ("from", carom_selection),
        ("to", carom_selection),
        ("tolerance", c_double),
    ]


class carom_spot_def(Structure):
    _fields_ = [
        ("body", c_char * 64),
        ("point", c_double * 3),
    ]


class carom_connection_def(Structure):
    _fields_ = [
        ("from", carom_spot_def),
        ("to", carom_spot_def),
    ]


class carom_joint_def(Structure):
    _fields_ = [
        ("kind", c_int),
        ("body", c_char * 64),
        ("to", c_char * 64),
        ("at", c_double * 3),
        ("axis", c_double * 3),
        ("driven", c_bool),
        ("speed", c_double),
        ("schedule", carom_schedule),
        ("from", c_double),
        ("until", c_double),
    ]


class carom_spring_def(Structure):
    _fields_ = [
        ("from", carom_spot_def),
        ("to", carom_spot_def),
        ("stiffness", c_double),
        ("damping", c_double),
        ("length", c_double),
    ]


class carom_model_def(Structure):
    _fields_ = [
        ("body_count", c_int),
        ("bodies", POINTER(carom_body_def)),
        ("restraint_count", c_int),
        ("restraints", POINTER(carom_restraint_def)),
        ("load_count", c_int),
        ("loads", POINTER(carom_load_def)),
        ("gravity", c_double * 3),
        ("contact", carom_contact_def),
        ("tie_count", c_int),
        ("ties", POINTER(carom_tie_def)),
        ("connection_count", c_int),
        ("connections", POINTER(carom_connection_def)),
        ("joint_count", c_int),
        ("joints", POINTER(carom_joint_def)),
        ("spring_count", c_int),
        ("springs", POINTER(carom_spring_def)),
        ("skip_peaks", c_bool),
    ]


class carom_face(Structure):
    _fields_ = [
        ("corners", c_int),
        ("nodes", c_int * 3),
        ("body", c_int),
    ]


class carom_contact_extent(Structure):
    _fields_ = [
        ("faces", c_int),
        ("bodies", c_int),
        ("corners", c_int),
        ("pairs", c_int),
        ("thin", c_int),
        ("planes", c_int),
    ]


class carom_tied(Structure):
    _fields_ = [
        ("ties", c_int),
        ("connections", c_int),
        ("nodes", c_int),
        ("left", c_int),
        ("distance", c_double),
        ("span", c_double),
        ("coarse", c_int),
        ("jump", c_double),
    ]


class carom_unresolved(Structure):
    _fields_ = [
        ("count", c_int),
        ("body", c_int),
        ("part", c_double),
        ("time", c_double),
    ]


class carom_facts(Structure):
    _fields_ = [
        ("nodes", c_int),
        ("elements", c_int),
        ("mass", c_double),
        ("low", c_double * 3),
        ("high", c_double * 3),
        ("center", c_double * 3),
        ("moments", c_double * 3),
        ("longitudinal", c_double),
        ("shear", c_double),
        ("stable_step", c_double),
        ("obstacle", c_bool),
        ("lumped", c_bool),
    ]


class carom_shortest(Structure):
    _fields_ = [
        ("body", c_int),
        ("element", c_int64),
        ("step", c_double),
        ("center", c_double * 3),
    ]


class carom_units(Structure):
    _fields_ = [
        ("given", c_bool),
        ("length", c_char * 64),
        ("mass", c_char * 64),
        ("time", c_char * 64),
    ]


class carom_probe_def(Structure):
    _fields_ = [
        ("name", c_char * 64),
        ("where", carom_selection),
        ("position", c_bool),
        ("displacement", c_bool),
        ("velocity", c_bool),
        ("acceleration", c_bool),
        ("force", c_bool),
        ("stress", c_bool),
        ("strain", c_bool),
        ("rotation", c_bool),
        ("angular_velocity", c_bool),
        ("momentum", c_bool),
        ("angular_momentum", c_bool),
        ("filter", c_int),
        ("second", c_double),
    ]


class carom_output_def(Structure):
    _fields_ = [
        ("directory", c_char * 1024),
        ("history_every", c_int),
        ("history_bodies", c_bool),
        ("history_peaks", c_bool),
        ("history_pairs", c_bool),
        ("pairs_most", c_int),
        ("force_window", c_double),
        ("contacts", c_bool),
        ("contacts_every", c_int),
        ("fields_every", c_int),
        ("fields_format", c_int),
        ("fields_precision", c_int),
        ("fields_compress", c_int),
        ("fields_surface", c_int),
        ("fields_name_count", c_int),
        ("fields_names", c_void_p),
        ("fields_at_count", c_int),
        ("fields_at", c_void_p),
        ("checkpoint_every", c_int),
        ("checkpoint_minutes", c_double),
        ("probe_count", c_int),
        ("probes", POINTER(carom_probe_def)),
    ]


class carom_frame_forecast(Structure):
    _fields_ = [
        ("every", c_int),
        ("thinned", c_int),
        ("count", c_int64),
        ("single", c_bool),
        ("compress", c_bool),
        ("surface", c_bool),
        ("reduced", c_bool),
        ("frame_bytes", c_double),
        ("bytes", c_double),
    ]


class carom_page_body(Structure):
    _fields_ = [
        ("name", c_char * 80),
        ("radius", c_double),
    ]


class carom_page_run(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("integrator", c_char_p),
        ("directory", c_char_p),
        ("summary", c_char_p),
        ("scene", c_char_p),
        ("failure", c_char_p),
        ("body_count", c_int),
        ("bodies", POINTER(carom_page_body)),
        ("plane_count", c_int),
        ("planes", POINTER(carom_plane_def)),
    ]


class carom_page_def(Structure):
    _fields_ = [
        ("template_path", c_char_p),
        ("kind", c_char_p),
        ("title", c_char_p),
        ("run_count", c_int),
        ("runs", POINTER(carom_page_run)),
        ("table", c_char_p),
        ("size_max", c_double),
    ]


class carom_page_facts(Structure):
    _fields_ = [
        ("bytes", c_double),
        ("frames", c_int),
        ("dropped", c_int),
        ("omitted", c_int),
        ("hollow", c_int),
        ("damaged", c_int),
        ("damage", c_char * 512),
        ("skipped", c_int64),
        ("colourless", c_int),
    ]


class carom_picture_def(Structure):
    _fields_ = [
        ("directory", c_char_p),
        ("title", c_char_p),
        ("field", c_char_p),
        ("when", c_int),
        ("time", c_double),
        ("view", c_int),
        ("azimuth", c_double),
        ("elevation", c_double),
        ("range", c_double * 2),
        ("width", c_int),
        ("height", c_int),
        ("edges", c_bool),
        ("body_count", c_int),
        ("bodies", POINTER(carom_page_body)),
        ("plane_count", c_int),
        ("planes", POINTER(carom_plane_def)),
        ("units", POINTER(carom_units)),
    ]


class carom_picture_facts(Structure):
    _fields_ = [
        ("field", c_char * 128),
        ("time", c_double),
        ("frame", c_int),
        ("frame_count", c_int),
        ("smallest", c_double),
        ("largest", c_double),
        ("place", c_double * 3),
        ("body", c_char * 80),
    ]


class carom_animation_def(Structure):
    _fields_ = [
        ("picture", carom_picture_def),
        ("frames", c_int),
        ("seconds", c_double),
        ("bytes_max", c_double),
        ("progress", CFUNCTYPE(c_bool, c_void_p, c_int, c_int)),
        ("context", c_void_p),
    ]


class carom_animation_facts(Structure):
    _fields_ = [
        ("largest", carom_picture_facts),
        ("frame_count", c_int),
        ("colour_count", c_int),
        ("bytes", c_int64),
        ("seconds", c_double),
    ]


class carom_phase_time(Structure):
    _fields_ = [
        ("wall", c_double),
        ("processor", c_double),
    ]


class carom_rigid_params(Structure):
    _fields_ = [
        ("density", c_double),
        ("mass", c_double),
        ("offset", c_double * 3),
        ("inertia", c_double * 3),
        ("products", c_double * 3),
    ]


class carom_rigid_motion(Structure):
    _fields_ = [
        ("centre", c_double * 3),
        ("velocity", c_double * 3),
        ("rotation", c_double * 3),
        ("angular_velocity", c_double * 3),
        ("momentum", c_double * 3),
        ("angular_momentum", c_double * 3),
    ]


class carom_peak(Structure):
    _fields_ = [
        ("body", c_char * 64),
        ("kind", c_int),
        ("value", c_double),
        ("element", c_int64),
        ("cell", c_int64),
        ("x", c_double * 3),
        ("time", c_double),
    ]


class carom_filtered_peak(Structure):
    _fields_ = [
        ("probe", c_char * 64),
        ("force", c_bool),
        ("value", c_double),
        ("time", c_double),
    ]


class carom_ledger_row(Structure):
    _fields_ = [
        ("time", c_double),
        ("kinetic", c_double),
        ("internal", c_double),
        ("external", c_double),
        ("friction", c_double),
        ("restitution", c_double),
        ("projection", c_double),
        ("total", c_double),
        ("residual", c_double),
        ("momentum", c_double * 3),
        ("angular_momentum", c_double * 3),
        ("contacts", c_int64),
        ("penetration", c_double),
        ("damping", c_double),
        ("oscillation", c_double),
        ("account", c_double),
        ("largest_account", c_double),
        ("plasticity", c_double),
        ("viscosity", c_double),
        ("energy_ratio", c_double),
    ]


class carom_ledger_column(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("label", c_char_p),
        ("unit", c_char_p),
        ("role", c_int),
        ("presence", c_int),
        ("integer", c_bool),
        ("offset", c_size_t),
    ]


class carom_pair_record(Structure):
    _fields_ = [
        ("body", c_int * 2),
        ("events", c_int64),
        ("first_contact", c_double),
        ("last_contact", c_double),
        ("impulse", c_double),
        ("approach", c_double),
        ("normal", c_double * 3),
        ("separation", c_double),
        ("last_step", c_int64),
        ("push", c_double * 3),
        ("peak_force", c_double),
        ("peak_time", c_double),
        ("contact_time", c_double),
        ("moment", c_double * 3),
    ]


class carom_claims(Structure):
    _fields_ = [
        ("linear_momentum", c_bool),
        ("angular_momentum", c_bool),
        ("energy", c_int),
        ("contact_energy", c_bool),
        ("symplectic", c_bool),
        ("reversible", c_bool),
        ("order", c_int),
    ]


class carom_method_result(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("kind", c_int),
        ("array", c_char_p),
        ("begin", c_int),
        ("labels", POINTER(c_char_p)),
        ("doc", c_char_p),
    ]


class carom_lack(Structure):
    _fields_ = [
        ("need", c_int),
        ("with", c_char_p),
        ("when", CFUNCTYPE(c_bool, c_void_p, c_void_p)),
        ("instead", c_char_p),
    ]


class carom_integrator(Structure):
    _fields_ = [
        ("kind", carom_kind),
        ("claims", carom_claims),
        ("lacks", POINTER(carom_lack)),
        ("device", c_bool),
        ("implicit", c_bool),
        ("equilibrium", c_bool),
        ("substeps", c_bool),
        ("divides", c_bool),
        ("at_ends", c_bool),
        ("sharing", c_int),
        ("results", POINTER(carom_method_result)),
        ("ignored", POINTER(c_char_p)),
        ("conditions", c_char_p),
        ("remedy", c_char_p),
        ("varies", CFUNCTYPE(c_bool, c_void_p)),
        ("available", CFUNCTYPE(c_int, c_void_p, c_void_p)),
        ("accepts", CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)),
        ("overlaps", CFUNCTYPE(c_bool, c_void_p, c_void_p)),
        ("touches", CFUNCTYPE(c_bool, c_void_p, c_void_p)),
        ("stability", CFUNCTYPE(c_double, c_void_p)),
        ("advised_step", CFUNCTYPE(c_double, c_void_p, c_void_p)),
        ("setup", CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)),
        ("step", CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)),
        ("synchronize", CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)),
        ("measure", CFUNCTYPE(None, c_void_p, c_void_p, c_void_p)),
        ("oscillation", CFUNCTYPE(c_double, c_void_p, c_void_p)),
        ("release", CFUNCTYPE(None, c_void_p)),
    ]


class carom_multisymplectic_params(Structure):
    _fields_ = [
        ("contact_integrator", c_int),
        ("contact_rule", c_int),
        ("start", c_int),
    ]


class carom_static_params(Structure):
    _fields_ = [
        ("steps", c_int),
        ("linear", c_bool),
        ("tolerance", c_double),
        ("iterations", c_int),
        ("halvings", c_int),
        ("on_event", c_int),
        ("solver", c_int),
    ]


class carom_energy_momentum_params(Structure):
    _fields_ = [
        ("scheme", c_int),
        ("velocity_update", c_int),
        ("update", c_int),
        ("penalty", c_double),
        ("tangential", c_double),
        ("slave", c_int),
        ("quadrature", c_int),
        ("reach", c_double),
        ("augmented", c_int),
        ("beta", c_double),
        ("gamma", c_double),
        ("tolerance", c_double),
        ("iterations", c_int),
        ("halvings", c_int),
        ("solver", c_int),
    ]


class carom_nonsmooth_newmark_params(Structure):
    _fields_ = [
        ("beta", c_double),
        ("gamma", c_double),
        ("gradients", c_int),
        ("pairing", c_int),
        ("measure", c_int),
        ("slip", c_int),
        ("contact", c_int),
        ("penalty", c_double),
        ("passes", c_int),
        ("tolerance", c_double),
        ("halvings", c_int),
    ]


class carom_asynchronous_params(Structure):
    _fields_ = [
        ("beta", c_double),
        ("classes", c_int),
        ("contact", c_int),
        ("alpha", c_double),
        ("centred", c_bool),
    ]


class carom_time_def(Structure):
    _fields_ = [
        ("end", c_double),
        ("step", c_double),
        ("safety", c_double),
        ("follow", c_int),
        ("on_event", c_int),
        ("energy_error", c_double),
        ("retries", c_int),
        ("halvings", c_int),
    ]


class carom_time_plan(Structure):
    _fields_ = [
        ("step", c_double),
        ("steps", c_int64),
        ("bound", c_double),
        ("unstable", c_bool),
    ]


class carom_device_use(Structure):
    _fields_ = [
        ("waiting", c_double),
        ("settling", c_double),
        ("to", c_double),
        ("from", c_double),
        ("memory", c_double),
        ("islands", c_double),
    ]


class carom_division(Structure):
    _fields_ = [
        ("possible", c_bool),
        ("nominal", c_double),
        ("parts", c_int64),
        ("smallest", c_double),
        ("time", c_double),
        ("element", c_char * 128),
    ]


class carom_hit_report(Structure):
    _fields_ = [
        ("contact", carom_contact),
        ("time", c_double),
        ("step", c_int64),
        ("point", c_double * 3),
        ("gap", c_double),
        ("normal", c_double * 3),
        ("impulse", c_double * 3),
        ("normal_impulse", c_double),
        ("closing_speed", c_double),
        ("restitution", c_double),
        ("friction", c_double),
        ("slips", c_bool),
    ]


class carom_probe_reading(Structure):
    _fields_ = [
        ("position", c_double * 3),
        ("displacement", c_double * 3),
        ("velocity", c_double * 3),
    ]


class carom_run_def(Structure):
    _fields_ = [
        ("scene", c_char_p),
        ("title", c_char_p),
        ("units", POINTER(carom_units)),
        ("scene_text", c_char_p),
        ("output", POINTER(carom_output_def)),
        ("discard", c_bool),
        ("resume", c_bool),
        ("attempt", c_int),
        ("locked", c_bool),
        ("profile", c_bool),
        ("fixed_threads", c_bool),
        ("setup", carom_phase_time),
        ("handle_signals", c_bool),
        ("progress", c_int),
        ("started", CFUNCTYPE(None, c_void_p, c_void_p)),
        ("noted", CFUNCTYPE(None, c_char_p, c_void_p)),
        ("context", c_void_p),
    ]


class carom_summary(Structure):
    _fields_ = [
        ("steps", c_int64),
        ("element_updates", c_int64),
        ("division", carom_division),
        ("contact_events", c_int64),
        ("processes", c_int),
        ("rebalances", c_int),
        ("imbalance", c_double),
        ("threads", c_int),
        ("threads_used", c_double),
        ("wall_seconds", c_double),
        ("profile", carom_phase_time * 18),
        ("profile_mean", carom_phase_time * 18),
        ("profile_most", carom_phase_time * 18),
        ("memory", c_int64 * 2),
        ("energy_error", c_double),
        ("momentum_error", c_double),
        ("angular_momentum_error", c_double),
        ("conserved", c_bool * 6),
        ("conserved_error", c_double * 2),
        ("max_penetration", c_double),
        ("audits", c_int64),
        ("intersections", c_int64),
        ("minimum_distance", c_double),
        ("state_hash", c_uint64),
        ("varies", c_bool),
        ("events", c_int64 * 11),
        ("guard_kinetic", c_double),
        ("guard_unexplained", c_double),
        ("rotated", c_char * 128),
        ("rotated_at", c_double),
        ("energy_scale", c_double),
        ("momentum_scale", c_double),
        ("angular_momentum_scale", c_double),
        ("first", carom_ledger_row),
        ("last", carom_ledger_row),
        ("external_impulse", c_double * 3),
        ("external_angular_impulse", c_double * 3),
        ("is_static", c_bool),
        ("forces", c_double * 3 * 4),
        ("stability_lost", c_double),
        ("force_window", c_double),
        ("pair_count", c_int),
        ("pairs", POINTER(carom_pair_record)),
        ("peak_count", c_int),
        ("peaks", POINTER(carom_peak)),
        ("filtered_count", c_int),
        ("filtered", POINTER(carom_filtered_peak)),
    ]


class carom_verdict(Structure):
    _fields_ = [
        ("name", c_char * 64),
        ("condition", c_char * 64),
        ("value", c_double),
        ("passed", c_bool),
        ("reference", c_int),
        ("exact", c_double),
        ("source", c_char * 1024),
    ]


class carom_pair_label(Structure):
    _fields_ = [
        ("name", c_char * 64 * 2),
        ("restitution", c_double),
    ]


class carom_text(Structure):
    _fields_ = [
        ("data", c_void_p),
        ("size", c_size_t),
        ("capacity", c_size_t),
        ("failed", c_bool),
    ]


class carom_finding(Structure):
    _fields_ = [
        ("file", c_char * 1024),
        ("line", c_int),
        ("column", c_int),
        ("path", c_char * 256),
        ("message", c_char * 512),
    ]


class carom_findings(Structure):
    _fields_ = [
        ("count", c_int),
        ("items", POINTER(carom_finding)),
        ("note_count", c_int),
        ("notes", POINTER(carom_finding)),
    ]


class carom_scene_source(Structure):
    _fields_ = [
        ("path", c_char_p),
        ("text", c_char_p),
        ("size", c_size_t),
        ("name", c_char_p),
        ("overrides", POINTER(c_char_p)),
        ("override_count", c_int),
        ("loads", POINTER(carom_load_def)),
        ("load_count", c_int),
    ]


class carom_scene_facts(Structure):
    _fields_ = [
        ("digest", c_uint64),
        ("title", c_char * 1024),
        ("directory", c_char * 1024),
    ]


class carom_scene_section(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("doc", c_char_p),
        ("item", c_char_p),
    ]


class carom_scene_key(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("doc", c_char_p),
        ("param", POINTER(carom_param)),
        ("required", c_bool),
        ("expected", c_char * 256),
    ]


class carom_study_def(Structure):
    _fields_ = [
        ("vary_count", c_int),
        ("vary", POINTER(c_char_p)),
        ("list", c_char_p),
        ("list_size", c_size_t),
        ("list_name", c_char_p),
        ("samples", c_int),
        ("seed", c_uint64),
    ]


class carom_study(Structure):
    _fields_ = [
        ("key_count", c_int),
        ("point_count", c_int),
        ("keys", POINTER(c_void_p)),
        ("values", POINTER(c_void_p)),
    ]


class carom_csv_table(Structure):
    _fields_ = [
        ("column_count", c_int),
        ("row_count", c_int64),
        ("skipped", c_int64),
        ("names", POINTER(c_char_p)),
        ("lines", POINTER(c_void_p)),
        ("cells", POINTER(c_char_p)),
    ]


class carom_layout(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("size", c_size_t),
    ]


class carom_view_cell(Structure):
    _fields_ = [
        ("vtk_type", c_int),
        ("body", c_int),
        ("point_count", c_int),
        ("points", c_void_p),
    ]


class carom_view_field(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("components", c_int),
        ("at_points", c_bool),
    ]


STRUCTS = (
    carom_error,
    carom_pairs,
    carom_param,
    carom_kind,
    carom_catalogue,
    carom_pick,
    carom_contact_side,
    carom_contact,
    carom_plane_def,
    carom_contact_pair_def,
    carom_contact_def,
    carom_uniaxial,
    carom_flow,
    carom_losses,
    carom_inelastic,
    carom_material,
    carom_substance,
    carom_elastic_params,
    carom_j2_params,
    carom_mooney_rivlin_params,
    carom_yeoh_params,
    carom_gent_params,
    carom_ogden_params,
    carom_viscoelastic_params,
    carom_cell_block,
    carom_node_set,
    carom_cell_set,
    carom_face_set,
    carom_mesh,
    carom_generator,
    carom_line_params,
    carom_curve_params,
    carom_point_params,
    carom_rectangle_params,
    carom_box_params,
    carom_plate_params,
    carom_ring_params,
    carom_disc_params,
    carom_hexagonal_disc_params,
    carom_cylinder_params,
    carom_tube_params,
    carom_sphere_params,
    carom_ball_params,
    carom_cube_params,
    carom_placement,
    carom_mesh_read_def,
    carom_file_params,
    carom_mesh_faults,
    carom_mesh_facts,
    carom_block,
    carom_group,
    carom_limit,
    carom_arrangement,
    carom_element_field,
    carom_framed,
    carom_single,
    carom_kinematics,
    carom_element,
    carom_bar_params,
    carom_point_mass_params,
    carom_plane_element_params,
    carom_tet4_params,
    carom_hex8_params,
    carom_nodal_params,
    carom_loop_shell_params,
    carom_exact_beam_params,
    carom_damping,
    carom_material_def_in_box,
    carom_material_def,
    carom_schedule,
    carom_obstacle_def,
    carom_body_def,
    carom_selection_in_box,
    carom_selection_on_plane,
    carom_selection_in_sphere,
    carom_selection_nearest,
    carom_selection,
    carom_restraint_def,
    carom_load_def,
    carom_tie_def,
    carom_spot_def,
    carom_connection_def,
    carom_joint_def,
    carom_spring_def,
    carom_model_def,
    carom_face,
    carom_contact_extent,
    carom_tied,
    carom_unresolved,
    carom_facts,
    carom_shortest,
    carom_units,
    carom_probe_def,
    carom_output_def,
    carom_frame_forecast,
    carom_page_body,
    carom_page_run,
    carom_page_def,
    carom_page_facts,
    carom_picture_def,
    carom_picture_facts,
    carom_animation_def,
    carom_animation_facts,
    carom_phase_time,
    carom_rigid_params,
    carom_rigid_motion,
    carom_peak,
    carom_filtered_peak,
    carom_ledger_row,
    carom_ledger_column,
    carom_pair_record,
    carom_claims,
    carom_method_result,
    carom_lack,
    carom_integrator,
    carom_multisymplectic_params,
    carom_static_params,
    carom_energy_momentum_params,
    carom_nonsmooth_newmark_params,
    carom_asynchronous_params,
    carom_time_def,
    carom_time_plan,
    carom_device_use,
    carom_division,
    carom_hit_report,
    carom_probe_reading,
    carom_run_def,
    carom_summary,
    carom_verdict,
    carom_pair_label,
    carom_text,
    carom_finding,
    carom_findings,
    carom_scene_source,
    carom_scene_facts,
    carom_scene_section,
    carom_scene_key,
    carom_study_def,
    carom_study,
    carom_csv_table,
    carom_layout,
    carom_view_cell,
    carom_view_field,
)

FUNCTIONS = {
    "carom_status_name": (c_char_p, [c_int]),
    "carom_free": (None, [c_void_p]),
    "carom_catalogue_find": (POINTER(carom_kind), [POINTER(carom_catalogue), c_char_p]),
    "carom_pick_of": (carom_pick, [POINTER(carom_catalogue), c_char_p, c_void_p, POINTER(carom_error)]),
    "carom_pick_check": (c_int, [POINTER(carom_pick), POINTER(carom_error)]),
    "carom_param_defaults": (None, [POINTER(carom_param), c_int, c_void_p]),
    "carom_param_parse": (c_int, [POINTER(carom_param), c_char_p, c_void_p, POINTER(carom_error)]),
    "carom_param_check": (c_int, [POINTER(carom_param), c_void_p, POINTER(carom_error)]),
    "carom_param_print": (None, [POINTER(carom_param), c_void_p, c_void_p, c_size_t]),
    "carom_param_expected": (None, [POINTER(carom_param), c_void_p, c_size_t]),
    "carom_default_contact_def": (carom_contact_def, []),
    "carom_default_plane_def": (carom_plane_def, []),
    "carom_default_contact_pair_def": (carom_contact_pair_def, []),
    "carom_ccd_node_face": (c_bool, [c_void_p, c_void_p, c_double, c_void_p]),
    "carom_ccd_edge_edge": (c_bool, [c_void_p, c_void_p, c_double, c_void_p]),
    "carom_triangles_intersect": (c_bool, [c_void_p, c_void_p]),
    "carom_ccd_node_segment": (c_bool, [c_void_p, c_void_p, c_double, c_void_p]),
    "carom_contact_params": (POINTER(carom_param), [c_void_p]),
    "carom_plane_params": (POINTER(carom_param), [c_void_p]),
    "carom_contact_pair_params": (POINTER(carom_param), [c_void_p]),
    "carom_arena_allocate": (c_void_p, [c_void_p, c_int64, c_size_t]),
    "carom_materials": (POINTER(carom_catalogue), []),
    "carom_register_material": (c_int, [POINTER(carom_material), POINTER(carom_error)]),
    "carom_substances": (POINTER(carom_substance), [c_void_p]),
    "carom_substance_find": (POINTER(carom_substance), [c_char_p]),
    "carom_substance_pick": (carom_pick, [POINTER(carom_substance), c_double, c_double, c_double, c_void_p]),
    "carom_material_plane": (c_double, [POINTER(carom_material), c_void_p, c_int, c_void_p, c_void_p, c_void_p, c_void_p]),
    "carom_cell_size": (c_int, [c_int]),
    "carom_cell_dimension": (c_int, [c_int]),
    "carom_cell_name": (c_char_p, [c_int]),
    "carom_mesh_release": (None, [POINTER(carom_mesh)]),
    "carom_mesh_allocate": (c_int, [POINTER(carom_mesh), c_int64, c_int, c_int64, POINTER(carom_error)]),
    "carom_mesh_add_block": (c_int, [POINTER(carom_mesh), c_int, c_int64, POINTER(carom_error)]),
    "carom_mesh_add_set": (c_int, [POINTER(carom_mesh), c_char_p, c_void_p, c_int, POINTER(carom_error)]),
    "carom_mesh_add_cell_set": (c_int, [POINTER(carom_mesh), c_char_p, c_void_p, c_int, POINTER(carom_error)]),
    "carom_mesh_add_face_set": (c_int, [POINTER(carom_mesh), c_char_p, c_void_p, c_int, POINTER(carom_error)]),
    "carom_mesh_copy": (c_int, [POINTER(carom_mesh), POINTER(carom_mesh), POINTER(carom_error)]),
    "carom_mesh_set": (POINTER(carom_node_set), [POINTER(carom_mesh), c_char_p]),
    "carom_mesh_cell_set": (POINTER(carom_cell_set), [POINTER(carom_mesh), c_char_p]),
    "carom_mesh_face_set": (POINTER(carom_face_set), [POINTER(carom_mesh), c_char_p]),
    "carom_mesh_name_surface": (c_int, [POINTER(carom_mesh), POINTER(carom_error)]),
    "carom_mesh_cell_set_nodes": (c_int, [POINTER(carom_mesh), POINTER(carom_cell_set), POINTER(c_void_p), c_void_p, POINTER(carom_error)]),
    "carom_mesh_node_id": (c_int64, [POINTER(carom_mesh), c_int]),
    "carom_mesh_cell_id": (c_int64, [POINTER(carom_mesh), c_int, c_int]),
    "carom_mesh_hash": (c_uint64, [POINTER(carom_mesh)]),
    "carom_generators": (POINTER(carom_catalogue), []),
    "carom_register_generator": (c_int, [POINTER(carom_generator), POINTER(carom_error)]),
    "carom_mesh_generate": (c_int, [carom_pick, POINTER(carom_mesh), POINTER(carom_error)]),
    "carom_default_placement": (carom_placement, []),
    "carom_placement_params": (POINTER(carom_param), [c_void_p]),
    "carom_array_params": (POINTER(carom_param), [c_void_p]),
    "carom_mesh_place": (None, [POINTER(carom_mesh), POINTER(carom_placement), c_int]),
    "carom_default_mesh_read_def": (carom_mesh_read_def, []),
    "carom_mesh_read": (c_int, [c_char_p, POINTER(carom_mesh_read_def), POINTER(carom_mesh), POINTER(carom_error)]),
    "carom_mesh_parse": (c_int, [c_void_p, c_size_t, c_char_p, POINTER(carom_mesh_read_def), POINTER(carom_mesh), POINTER(carom_error)]),
    "carom_mesh_write": (c_int, [POINTER(carom_mesh), c_char_p, POINTER(carom_error)]),
    "carom_write_check_name": (c_int, [c_char_p, POINTER(carom_error)]),
    "carom_path_is_cad": (c_bool, [c_char_p]),
    "carom_path_is_mesh": (c_bool, [c_char_p]),
    "carom_mesh_fault_name": (c_char_p, [c_int]),
    "carom_mesh_parts_print": (None, [POINTER(carom_mesh), POINTER(carom_mesh_faults), c_void_p, c_size_t]),
    "carom_mesh_check": (c_int, [POINTER(carom_mesh), POINTER(carom_mesh_faults), POINTER(carom_error)]),
    "carom_mesh_is_faulty": (c_bool, [POINTER(carom_mesh_faults)]),
    "carom_mesh_is_mendable": (c_bool, [POINTER(carom_mesh_faults)]),
    "carom_mesh_faults_print": (None, [POINTER(carom_mesh_faults), c_void_p, c_size_t]),
    "carom_mesh_fix": (c_int, [POINTER(carom_mesh), POINTER(carom_mesh_faults), POINTER(carom_error)]),
    "carom_mesh_measure": (c_int, [POINTER(carom_mesh), POINTER(carom_mesh_facts), POINTER(carom_error)]),
    "carom_mesh_renumber": (c_int, [POINTER(carom_mesh), POINTER(carom_error)]),
    "carom_elements": (POINTER(carom_catalogue), []),
    "carom_register_element": (c_int, [POINTER(carom_element), POINTER(carom_error)]),
    "carom_damping_params": (POINTER(carom_param), [c_void_p]),
    "carom_schedule_factor": (c_double, [POINTER(carom_schedule), c_double]),
    "carom_default_model_def": (carom_model_def, []),
    "carom_default_body_def": (carom_body_def, []),
    "carom_default_obstacle_def": (carom_obstacle_def, []),
    "carom_default_selection": (carom_selection, []),
    "carom_default_restraint_def": (carom_restraint_def, []),
    "carom_default_load_def": (carom_load_def, []),
    "carom_default_tie_def": (carom_tie_def, []),
    "carom_model_create": (c_int, [POINTER(carom_model_def), POINTER(c_void_p), POINTER(carom_error)]),
    "carom_model_release": (None, [c_void_p]),
    "carom_model_node_count": (c_int, [c_void_p]),
    "carom_model_body_count": (c_int, [c_void_p]),
    "carom_model_element_count": (c_int, [c_void_p]),
    "carom_model_body_name": (c_char_p, [c_void_p, c_int]),
    "carom_model_body": (c_int, [c_void_p, c_char_p]),
    "carom_model_body_begin": (c_int, [c_void_p, c_int]),
    "carom_model_body_size": (c_int, [c_void_p, c_int]),
    "carom_model_reference": (c_void_p, [c_void_p]),
    "carom_model_mass": (c_void_p, [c_void_p]),
    "carom_model_node_id": (c_int64, [c_void_p, c_int]),
    "carom_model_node_body": (c_int, [c_void_p, c_int]),
    "carom_model_block_count": (c_int, [c_void_p]),
    "carom_model_block": (POINTER(carom_block), [c_void_p, c_int]),
    "carom_model_face_count": (c_int, [c_void_p]),
    "carom_model_face": (carom_face, [c_void_p, c_int]),
    "carom_model_contact_extent": (carom_contact_extent, [c_void_p]),
    "carom_model_contact": (POINTER(carom_contact_def), [c_void_p]),
    "carom_model_side_name": (c_char_p, [c_void_p, c_int]),
    "carom_model_tied": (carom_tied, [c_void_p]),
    "carom_model_hash": (c_uint64, [c_void_p]),
    "carom_model_select": (c_int, [c_void_p, POINTER(carom_selection), POINTER(c_void_p), c_void_p, POINTER(carom_error)]),
    "carom_model_stable_step": (c_double, [c_void_p]),
    "carom_model_undamped_step": (c_double, [c_void_p]),
    "carom_model_unresolved": (carom_unresolved, [c_void_p, c_double]),
    "carom_model_facts": (carom_facts, [c_void_p, c_int]),
    "carom_model_shortest": (carom_shortest, [c_void_p]),
    "carom_read_bytes": (c_int, [c_char_p, POINTER(c_void_p), c_void_p, POINTER(carom_error)]),
    "carom_file_replace": (c_int, [c_char_p, c_void_p, c_size_t, POINTER(carom_error)]),
    "carom_file_is_foreign": (c_bool, [c_char_p, c_char_p]),
    "carom_lock_take": (c_int, [c_char_p, c_bool, POINTER(c_void_p), c_void_p, c_size_t, POINTER(carom_error)]),
    "carom_lock_release": (None, [c_void_p]),
    "carom_parallel_possible": (c_bool, []),
    "carom_parallel_start": (c_int, [POINTER(carom_error)]),
    "carom_parallel_stop": (None, []),
    "carom_parallel_rank": (c_int, []),
    "carom_parallel_size": (c_int, []),
    "carom_parallel_neighbours": (c_int, []),
    "carom_parallel_agree": (c_int, [c_int, POINTER(carom_error)]),
    "carom_parallel_set_last_words": (None, [CFUNCTYPE(c_int, c_int, c_char_p)]),
    "carom_parallel_abandon": (None, [c_int, c_char_p]),
    "carom_parallel_broadcast": (None, [c_void_p, c_int64]),
    "carom_default_output_def": (carom_output_def, []),
    "carom_default_probe_def": (carom_probe_def, []),
    "carom_output_forecast": (c_int, [POINTER(carom_output_def), c_void_p, POINTER(carom_kind), c_int64, POINTER(carom_frame_forecast), POINTER(carom_error)]),
    "carom_output_forecast_text": (None, [POINTER(carom_output_def), POINTER(carom_frame_forecast), c_void_p, c_size_t]),
    "carom_output_rows": (c_int64, [POINTER(carom_output_def), c_int64]),
    "carom_output_check_names": (c_int, [POINTER(carom_output_def), c_void_p, POINTER(carom_kind), c_void_p, POINTER(carom_error)]),
    "carom_output_supports": (c_bool, [c_int]),
    "carom_page_write": (c_int, [c_char_p, POINTER(carom_page_def), POINTER(carom_page_facts), POINTER(carom_error)]),
    "carom_picture_write": (c_int, [c_char_p, POINTER(carom_picture_def), POINTER(carom_picture_facts), POINTER(carom_error)]),
    "carom_animation_write": (c_int, [c_char_p, POINTER(carom_animation_def), POINTER(carom_animation_facts), POINTER(carom_error)]),
    "carom_phase_name": (c_char_p, [c_int]),
    "carom_profile_clocks": (carom_phase_time, []),
    "carom_model_rigid": (c_int, [c_void_p, c_int]),
    "carom_state_rotations": (c_void_p, [c_void_p]),
    "carom_state_angular_velocities": (c_void_p, [c_void_p]),
    "carom_state_rigid_motion": (c_bool, [c_void_p, c_int, POINTER(carom_rigid_motion)]),
    "carom_filtered_name": (c_char_p, [c_bool]),
    "carom_peak_name": (c_char_p, [c_int]),
    "carom_ledger_columns": (POINTER(carom_ledger_column), [c_void_p]),
    "carom_ledger_value": (c_double, [POINTER(carom_ledger_row), POINTER(carom_ledger_column)]),
    "carom_ledger_sum": (c_double, [POINTER(carom_ledger_row), c_int]),
    "carom_event_name": (c_char_p, [c_int]),
    "carom_state_time": (c_double, [c_void_p]),
    "carom_state_step": (c_int64, [c_void_p]),
    "carom_state_positions": (c_void_p, [c_void_p]),
    "carom_state_velocities": (c_void_p, [c_void_p]),
    "carom_state_frames": (c_void_p, [c_void_p]),
    "carom_state_spins": (c_void_p, [c_void_p]),
    "carom_state_impulses": (c_void_p, [c_void_p]),
    "carom_state_hash": (c_uint64, [c_void_p]),
    "carom_state_events": (c_int64, [c_void_p, c_int]),
    "carom_state_element_updates": (c_int64, [c_void_p]),
    "carom_state_contact_events": (c_int64, [c_void_p]),
    "carom_state_pair_count": (c_int, [c_void_p]),
    "carom_state_pair": (carom_pair_record, [c_void_p, c_int]),
    "carom_state_closing_speed": (c_double, [c_void_p, c_void_p, c_void_p]),
    "carom_state_array_values": (c_void_p, [c_void_p, c_char_p]),
    "carom_state_edit_positions": (c_void_p, [c_void_p]),
    "carom_state_edit_velocities": (c_void_p, [c_void_p]),
    "carom_state_edit_frames": (c_void_p, [c_void_p]),
    "carom_state_edit_spins": (c_void_p, [c_void_p]),
    "carom_state_add_array": (c_void_p, [c_void_p, c_char_p, c_int64]),
    "carom_state_add_nodal": (c_void_p, [c_void_p, c_char_p, c_int]),
    "carom_state_book_external": (None, [c_void_p, c_void_p, c_void_p, c_void_p, c_double]),
    "carom_state_book_loss": (None, [c_void_p, c_int, c_double]),
    "carom_state_count_event": (None, [c_void_p, c_int]),
    "carom_integrators": (POINTER(carom_catalogue), []),
    "carom_register_integrator": (c_int, [POINTER(carom_integrator), POINTER(carom_error)]),
    "carom_need_name": (c_char_p, [c_int]),
    "carom_integrator_accepts": (c_int, [POINTER(carom_integrator), c_void_p, c_void_p, POINTER(carom_error)]),
    "carom_integrator_available": (c_int, [carom_pick, POINTER(carom_error)]),
    "carom_integrator_stability": (c_double, [POINTER(carom_integrator), c_void_p]),
    "carom_integrator_result": (POINTER(carom_method_result), [POINTER(carom_integrator), c_int]),
    "carom_method_result_values": (c_void_p, [POINTER(carom_method_result), c_void_p]),
    "carom_analyses": (POINTER(carom_catalogue), []),
    "carom_set_threads": (None, [c_int]),
    "carom_threads": (c_int, []),
    "carom_default_time_def": (carom_time_def, []),
    "carom_time_params": (POINTER(carom_param), [c_void_p]),
    "carom_time_of_attempt": (carom_time_def, [POINTER(carom_time_def), c_int]),
    "carom_static_time": (carom_time_def, [POINTER(carom_static_params)]),
    "carom_time_plan_of": (c_int, [POINTER(carom_time_def), c_void_p, carom_pick, POINTER(carom_time_plan), POINTER(carom_error)]),
    "carom_sim_create": (c_int, [c_void_p, carom_pick, POINTER(carom_time_def), POINTER(c_void_p), POINTER(carom_error)]),
    "carom_sim_create_shared": (c_int, [c_void_p, carom_pick, POINTER(carom_time_def), c_int, POINTER(c_void_p), POINTER(carom_error)]),
    "carom_sim_release": (None, [c_void_p]),
    "carom_sim_use_device": (c_int, [c_void_p, POINTER(carom_error)]),
    "carom_sim_device": (c_char_p, [c_void_p]),
    "carom_sim_device_use": (c_bool, [c_void_p, POINTER(carom_device_use)]),
    "carom_sim_model": (c_void_p, [c_void_p]),
    "carom_sim_state": (c_void_p, [c_void_p]),
    "carom_sim_integrator": (POINTER(carom_kind), [c_void_p]),
    "carom_sim_ledger": (carom_ledger_row, [c_void_p]),
    "carom_sim_step_size": (c_double, [c_void_p]),
    "carom_sim_step_count": (c_int64, [c_void_p]),
    "carom_sim_force_window": (c_double, [c_void_p]),
    "carom_sim_set_force_window": (None, [c_void_p, c_double]),
    "carom_sim_division": (carom_division, [c_void_p]),
    "carom_time_divides": (c_bool, [POINTER(carom_time_def), c_void_p, POINTER(carom_kind)]),
    "carom_sim_done": (c_bool, [c_void_p]),
    "carom_sim_threads": (c_int, [c_void_p]),
    "carom_sim_stable_step": (c_double, [c_void_p]),
    "carom_sim_step": (c_int, [c_void_p, POINTER(carom_error)]),
    "carom_sim_run_until": (c_int, [c_void_p, c_double, POINTER(carom_error)]),
    "carom_sim_set_motion": (c_int, [c_void_p, c_void_p, c_void_p, POINTER(carom_error)]),
    "carom_sim_on_hit": (None, [c_void_p, CFUNCTYPE(None, c_void_p, c_void_p, c_void_p), c_void_p]),
    "carom_sim_probe": (c_int, [c_void_p, POINTER(carom_selection), POINTER(carom_probe_reading), POINTER(carom_error)]),
    "carom_sim_save": (c_int, [c_void_p, c_char_p, POINTER(carom_error)]),
    "carom_sim_load": (c_int, [c_void_p, c_char_p, POINTER(carom_error)]),
    "carom_saved_step": (c_double, [c_char_p]),
    "carom_default_run_def": (carom_run_def, []),
    "carom_run_catch_signals": (c_int, [POINTER(carom_error)]),
    "carom_run_def_share": (None, [POINTER(carom_run_def), POINTER(carom_output_def)]),
    "carom_summary_release": (None, [POINTER(carom_summary)]),
    "carom_summary_peak": (POINTER(carom_peak), [POINTER(carom_summary), c_char_p, c_int]),
    "carom_summary_restitution": (c_double, [c_void_p, POINTER(carom_pair_record)]),
    "carom_summary_write": (c_int, [c_void_p, POINTER(carom_run_def), POINTER(carom_summary), POINTER(carom_verdict), c_int, POINTER(carom_error)]),
    "carom_summary_text": (c_void_p, [c_void_p, POINTER(carom_summary)]),
    "carom_ledger_table": (c_void_p, [POINTER(carom_summary), POINTER(carom_pair_label)]),
    "carom_profile_table": (c_void_p, [POINTER(carom_summary)]),
    "carom_momentum_name": (c_char_p, [c_int]),
    "carom_resultant_name": (c_char_p, [c_int]),
    "carom_run": (c_int, [c_void_p, POINTER(carom_run_def), POINTER(carom_summary), POINTER(carom_error)]),
    "carom_sim_retries": (c_bool, [c_void_p, c_int, POINTER(carom_summary), POINTER(carom_error)]),
    "carom_attempt_with_step": (c_int, [c_double, POINTER(carom_time_def), c_void_p, carom_pick]),
    "carom_text_append": (None, [POINTER(carom_text), c_char_p, c_size_t]),
    "carom_text_release": (None, [POINTER(carom_text)]),
    "carom_text_nearest": (c_char_p, [c_char_p, POINTER(c_char_p), c_int]),
    "carom_json_string": (None, [POINTER(carom_text), c_char_p]),
    "carom_json_real": (None, [POINTER(carom_text), c_double]),
    "carom_findings_text": (c_void_p, [POINTER(carom_findings)]),
    "carom_findings_release": (None, [POINTER(carom_findings)]),
    "carom_scene_load": (c_int, [c_char_p, POINTER(c_char_p), c_int, POINTER(c_void_p), POINTER(carom_findings), POINTER(carom_error)]),
    "carom_scene_parse": (c_int, [c_char_p, c_size_t, c_char_p, POINTER(c_char_p), c_int, POINTER(c_void_p), POINTER(carom_findings), POINTER(carom_error)]),
    "carom_scene_open": (c_int, [POINTER(carom_scene_source), POINTER(c_void_p), POINTER(carom_findings), POINTER(carom_error)]),
    "carom_scene_json": (c_int, [c_char_p, c_size_t, c_char_p, POINTER(c_void_p), POINTER(carom_error)]),
    "carom_scene_examine": (c_int, [c_char_p, POINTER(c_char_p), c_int, POINTER(carom_scene_facts), POINTER(carom_findings), POINTER(carom_error)]),
    "carom_scene_release": (None, [c_void_p]),
    "carom_scene_import": (c_int, [c_char_p, c_char_p, CFUNCTYPE(None, c_void_p, c_char_p), c_void_p, POINTER(carom_text), POINTER(carom_error)]),
    "carom_scene_mesh": (c_int, [c_char_p, POINTER(c_char_p), c_int, POINTER(carom_mesh), POINTER(carom_findings), POINTER(carom_error)]),
    "carom_scene_title": (c_char_p, [c_void_p]),
    "carom_scene_units": (POINTER(carom_units), [c_void_p]),
    "carom_scene_model": (c_void_p, [c_void_p]),
    "carom_scene_integrator": (carom_pick, [c_void_p]),
    "carom_scene_time": (POINTER(carom_time_def), [c_void_p]),
    "carom_scene_output": (POINTER(carom_output_def), [c_void_p]),
    "carom_scene_expectation_count": (c_int, [c_void_p]),
    "carom_scene_expectation": (carom_verdict, [c_void_p, c_int]),
    "carom_scene_judge": (carom_verdict, [c_void_p, c_int, c_void_p, POINTER(carom_summary)]),
    "carom_scene_text": (c_void_p, [c_void_p]),
    "carom_scene_schema": (c_void_p, []),
    "carom_scene_manual": (c_void_p, []),
    "carom_scene_sections": (c_int, [POINTER(carom_scene_section)]),
    "carom_scene_section_keys": (c_int, [c_int, POINTER(carom_scene_key)]),
    "carom_scene_body_list": (POINTER(carom_page_body), [c_char_p, c_size_t, c_void_p]),
    "carom_scene_planes": (POINTER(carom_plane_def), [c_char_p, c_size_t, c_void_p]),
    "carom_scene_text_units": (carom_units, [c_char_p, c_size_t]),
    "carom_stepper_model": (c_void_p, [c_void_p]),
    "carom_stepper_params": (c_void_p, [c_void_p]),
    "carom_stepper_step": (c_double, [c_void_p]),
    "carom_stepper_workspace": (c_void_p, [c_void_p]),
    "carom_stepper_set_workspace": (None, [c_void_p, c_void_p]),
    "carom_stepper_advance_time": (None, [c_void_p, c_void_p]),
    "carom_stepper_finish_step": (c_int, [c_void_p, c_void_p, c_bool, POINTER(carom_error)]),
    "carom_stepper_set_stale": (None, [c_void_p]),
    "carom_stepper_restart_ledger": (None, [c_void_p, c_void_p]),
    "carom_model_has_frames": (c_bool, [c_void_p]),
    "carom_model_has_damping": (c_bool, [c_void_p]),
    "carom_model_has_contact": (c_bool, [c_void_p]),
    "carom_model_has_schedules": (c_bool, [c_void_p]),
    "carom_kick_drift_create": (c_int, [c_void_p, c_void_p, c_bool, POINTER(c_void_p), POINTER(carom_error)]),
    "carom_kick_drift_release": (None, [c_void_p]),
    "carom_kick_drift_velocities": (c_void_p, [c_void_p]),
    "carom_kick_drift_kick": (c_int, [c_void_p, c_void_p, c_double, c_double, POINTER(carom_error)]),
    "carom_kick_drift_drift": (c_int, [c_void_p, c_void_p, c_double, POINTER(carom_error)]),
    "carom_kick_drift_finish": (c_int, [c_void_p, c_void_p, POINTER(carom_error)]),
    "carom_kick_drift_measure": (None, [c_void_p, c_void_p, POINTER(carom_ledger_row)]),
    "carom_kick_drift_force": (None, [c_void_p, c_void_p, c_double, c_void_p, c_void_p]),
    "carom_kick_drift_impose": (None, [c_void_p, c_double, c_void_p]),
    "carom_study_create": (c_int, [POINTER(carom_study_def), POINTER(carom_study), POINTER(carom_error)]),
    "carom_study_copy": (c_int, [c_int, POINTER(c_char_p), c_int, POINTER(c_char_p), POINTER(carom_study), POINTER(carom_error)]),
    "carom_study_add": (c_int, [POINTER(carom_study), POINTER(carom_study), POINTER(carom_error)]),
    "carom_study_release": (None, [POINTER(carom_study)]),
    "carom_study_folder": (None, [POINTER(carom_study), c_int, c_void_p]),
    "carom_csv_read": (c_int, [c_char_p, c_int64, POINTER(carom_csv_table), POINTER(carom_error)]),
    "carom_csv_release": (None, [POINTER(carom_csv_table)]),
    "carom_csv_column": (c_int, [POINTER(carom_csv_table), c_char_p]),
    "carom_csv_is_number": (c_bool, [POINTER(carom_csv_table), c_int]),
    "carom_csv_number": (c_double, [POINTER(carom_csv_table), c_int64, c_int]),
    "carom_version": (c_char_p, []),
    "carom_version_number": (c_int, []),
    "carom_layouts": (POINTER(carom_layout), [c_void_p]),
    "carom_view_create": (c_int, [c_void_p, POINTER(carom_kind), POINTER(c_void_p), POINTER(carom_error)]),
    "carom_view_release": (None, [c_void_p]),
    "carom_view_point_count": (c_int, [c_void_p]),
    "carom_view_cell_count": (c_int, [c_void_p]),
    "carom_view_cell_at": (carom_view_cell, [c_void_p, c_int]),
    "carom_view_field_count": (c_int, [c_void_p]),
    "carom_view_field_at": (carom_view_field, [c_void_p, c_int]),
    "carom_view_read": (c_int, [c_void_p, c_void_p, c_char_p, c_void_p, c_int64, POINTER(carom_error)]),
}
