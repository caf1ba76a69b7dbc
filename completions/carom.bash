# bash completion of carom, written by: carom completion bash
_carom() {
    local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]}
    shopt -q extglob || shopt -s extglob
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W 'run check report view compare sweep plot picture info mesh import verify schema manual completion help --help --version' -- "$word")
        return
    fi
    case ${COMP_WORDS[1]} in
    run)
        case $last in
        --output|-o) mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
        --threads) return ;;
        --ranks) return ;;
        --partition) mapfile -t COMPREPLY < <(compgen -W 'bisection scotch' -- "$word"); return ;;
        --device) mapfile -t COMPREPLY < <(compgen -W 'cpu gpu auto' -- "$word"); return ;;
        --set) return ;;
        esac
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--help --output --threads --ranks --partition --device --set --resume --quiet --dump --no-output --report --profile' -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -f -X '!*.@(yaml|yml|json)' -- "$word"; compgen -d -- "$word")
        fi ;;
    check)
        case $last in
        --set) return ;;
        esac
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--help --set' -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -f -X '!*.@(yaml|yml|json)' -- "$word"; compgen -d -- "$word")
        fi ;;
    report)
        case $last in
        --output|-o) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --max-size) return ;;
        esac
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--help --output --max-size' -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
        fi ;;
    view)
        case $last in
        --output|-o) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --max-size) return ;;
        esac
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--help --output --max-size' -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
        fi ;;
    compare)
        case $last in
        --integrators) return ;;
        --output|-o) mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
        --threads) return ;;
        --set) return ;;
        --max-size) return ;;
        esac
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--help --integrators --output --threads --set --max-size --quiet' -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -f -X '!*.@(yaml|yml|json)' -- "$word"; compgen -d -- "$word")
        fi ;;
    sweep)
        case $last in
        --vary) return ;;
        --list) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --random) return ;;
        --seed) return ;;
        --jobs|-j) return ;;
        --threads) return ;;
        --output|-o) mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
        --set) return ;;
        esac
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--help --vary --list --random --seed --jobs --threads --output --set --fields --resume --quiet' -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -f -X '!*.@(yaml|yml|json)' -- "$word"; compgen -d -- "$word")
        fi ;;
    plot)
        case $last in
        --output|-o) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --columns) return ;;
        --width) return ;;
        esac
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--help --output --columns --width' -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
        fi ;;
    picture)
        case $last in
        --output|-o) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --at) return ;;
        --field) return ;;
        --view) return ;;
        --range) return ;;
        --size) return ;;
        --animate) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --frames) return ;;
        --seconds) return ;;
        --max-size) return ;;
        esac
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--help --output --at --field --view --range --size --edges --animate --frames --seconds --max-size' -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
        fi ;;
    info)
        case $last in
        esac
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--help' -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -W 'contact time newmark-dcr asynchronous multisymplectic energy-momentum nonsmooth-newmark static bar exact-beam point-mass loop-shell tri3 quad4 tet4 hex8 wedge6 nodal rigid linear st-venant-kirchhoff neo-hookean mooney-rivlin yeoh gent ogden j2 viscoelastic curve line point rectangle box plate ring disc hexagonal-disc cylinder tube sphere ball cube file ALLKE ELKE ALLSE ELSE ALLIE ALLPD ALLCD friction ALLFD ALLPW CELS damping ALLVD ALLAE ALLWK ETOTAL erosion glstat T01 matsum CFN CFT CFNM rcforc rwforc RF spcforc bndout REACX nodout d3plot A001 d3hsp messag d3dump U V displacement velocity A acceleration S Mises stress LE E strain PEEQ adiabatic STH SF SM resultants CPRESS CSHEAR pressure CSTATUS COPEN STATUS TYPE24 TYPE25 SOFT SFS SFM DEPTH Stfac Igap ADJUST IGNORE Inacti SST MST Gap_min FS FD DC Fric EXPLICIT ENDENG Emax TSSFAC DT2MS C3D8R C3D8 Isolid Ihq LAW2 failure damage timestep substeps solref solimp ERP CFM sliding restitution margin gap contype conaffinity exclude geom body joint slide ball slider actuator motor qpos qvel velocities mj_contactForce mj_energyPos mj_energyVel mj_step stepSimulation' -- "$word"; compgen -d -- "$word")
        fi ;;
    mesh)
        case $last in
        --output|-o) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --set) return ;;
        --group) return ;;
        --size) return ;;
        esac
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--help --output --set --group --fix --renumber --size --trust' -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
        fi ;;
    import)
        case $last in
        --output|-o) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        esac
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--help --output' -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
        fi ;;
    verify)
        case $last in
        --scenes) mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
        --threads) return ;;
        esac
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--help --markdown --plan --all --scenes --threads' -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
        fi ;;
    schema)
        case $last in
        esac
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--help' -- "$word")
        fi ;;
    manual)
        case $last in
        esac
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--help' -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -W 'scene man words' -- "$word")
        fi ;;
    completion)
        case $last in
        esac
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--help' -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -W 'bash zsh fish' -- "$word")
        fi ;;
    help)
        case $last in
        esac
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--help' -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -W 'run check report view compare sweep plot picture mesh import info verify schema manual completion' -- "$word")
        fi ;;
    esac
}
complete -o filenames -F _carom carom
