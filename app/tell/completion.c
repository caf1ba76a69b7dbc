// SPDX-License-Identifier: MIT
// carom completion: completion scripts of shells, derived from the table of commands and options.
#include <stdio.h>
#include <string.h>

#include "app/commands.h"
#include "app/families.h"
#include "app/foreign_words.h"
#include "app/message.h"

// The scripts contain all words, so that completion does not start carom.
static void print_commands(void) {
    int count;
    const carom_command *commands = carom_commands(&count);
    for (int i = 0; i < count; i++)
        printf("%s%s", i ? " " : "", commands[i].name);
}

// The names that `carom info` accepts, except result directories.
static void print_kinds(void) {
    carom_family families[CAROM_FAMILIES];
    carom_families(families);
    fputs("contact time", stdout);
    for (int f = 0; f < CAROM_FAMILIES; f++)
        for (int i = 0; i < families[f].catalogue->count; i++)
            printf(" %s", families[f].catalogue->kinds[i]->name);
    carom_foreign_print_completions();
}

static void print_choices(const char *const *choices) {
    for (int i = 0; choices[i]; i++)
        printf("%s%s", i ? " " : "", choices[i]);
}

// Text between single quotes of a shell; `more` are further characters that need a backslash.
static void print_quoted(const char *text, const char *more) {
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (strchr(more, *text))
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

// The shell command that fills in one kind of word. Free text is not completed.
static void bash_words(carom_word word, const char *const *choices) {
    switch (word) {
    case CAROM_WORD_NONE:
    case CAROM_WORD_TEXT: break;
    case CAROM_WORD_SCENE:
        fputs("mapfile -t COMPREPLY < <(compgen -f -X '!*.@(yaml|yml|json)' -- \"$word\"; compgen -d -- \"$word\")", stdout);
        break;
    case CAROM_WORD_DIRECTORY: fputs("mapfile -t COMPREPLY < <(compgen -d -- \"$word\")", stdout); break;
    case CAROM_WORD_FILE: fputs("mapfile -t COMPREPLY < <(compgen -f -- \"$word\")", stdout); break;
    case CAROM_WORD_KIND:
        fputs("mapfile -t COMPREPLY < <(compgen -W '", stdout);
        print_kinds();
        fputs("' -- \"$word\"; compgen -d -- \"$word\")", stdout);
        break;
    case CAROM_WORD_CHOICE:
        fputs("mapfile -t COMPREPLY < <(compgen -W '", stdout);
        print_choices(choices);
        fputs("' -- \"$word\")", stdout);
        break;
    }
}

// One branch of the case: first values of options, chosen by the previous word, then options and operands.
static void bash_command(const carom_command *command) {
    printf("    %s)\n", command->name);
    // the value of an option
    puts("        case $last in");
    for (const carom_option *o = command->options; o->name; o++) {
        if (!o->argument)
            continue;
        printf("        --%s", o->name);
        if (o->letter)
            printf("|-%c", o->letter);
        fputs(") ", stdout);
        bash_words(o->word, o->choices);
        puts(o->word == CAROM_WORD_TEXT ? "return ;;" : "; return ;;");
    }
    puts("        esac");
    // an option, or an operand
    fputs("        if [[ $word == -* ]]; then\n            mapfile -t COMPREPLY < <(compgen -W '--help", stdout);
    for (const carom_option *o = command->options; o->name; o++)
        printf(" --%s", o->name);
    puts("' -- \"$word\")");
    if (command->word != CAROM_WORD_NONE && command->word != CAROM_WORD_TEXT) {
        fputs("        else\n            ", stdout);
        bash_words(command->word, command->choices);
        putchar('\n');
    }
    puts("        fi ;;");
}

// `-o filenames` lets bash add slashes to directories and quote odd names.
static void print_bash(void) {
    int count;
    const carom_command *commands = carom_commands(&count);
    puts("# bash completion of carom, written by: carom completion bash\n"
         "_carom() {\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]}\n"
         "    shopt -q extglob || shopt -s extglob\n"
         "    COMPREPLY=()\n"
         "    if ((COMP_CWORD == 1)); then");
    fputs("        mapfile -t COMPREPLY < <(compgen -W '", stdout);
    print_commands();
    puts(" --help --version' -- \"$word\")\n        return\n    fi\n    case ${COMP_WORDS[1]} in");
    for (int i = 0; i < count; i++)
        bash_command(&commands[i]);
    puts("    esac\n}\ncomplete -o filenames -F _carom carom");
}

// The action of an _arguments specification, label:action.
static void zsh_words(const char *label, carom_word word, const char *const *choices) {
    printf(":%s:", label);
    switch (word) {
    case CAROM_WORD_NONE:
    case CAROM_WORD_TEXT: break;
    case CAROM_WORD_SCENE: fputs("_files -g \"*.(yaml|yml|json)\"", stdout); break;
    case CAROM_WORD_DIRECTORY: fputs("_files -/", stdout); break;
    case CAROM_WORD_FILE: fputs("_files", stdout); break;
    case CAROM_WORD_KIND: fputs("_carom_kinds", stdout); break;
    case CAROM_WORD_CHOICE:
        putchar('(');
        print_choices(choices);
        putchar(')');
        break;
    }
}

static void zsh_option(const carom_option *option) {
    // A star lets zsh offer the option again after its first use.
    bool repeat = carom_option_repeats(option);
    printf(" \\\n            ");
    if (option->letter)
        printf("'(-%c --%s)'{-%c,--%s}'", option->letter, option->name, option->letter, option->name);
    else
        printf("'%s--%s", repeat ? "*" : "", option->name);
    putchar('[');
    print_quoted(option->doc, "[]:");
    putchar(']');
    if (option->argument)
        zsh_words("value", option->word, option->choices);
    putchar('\'');
}

// `words` is shifted so that each command completes as if it stood first.
static void print_zsh(void) {
    int count;
    const carom_command *commands = carom_commands(&count);
    fputs("#compdef carom\n# zsh completion of carom, written by: carom completion zsh\n_carom_kinds() {\n    _alternative "
          "'names:name:(",
          stdout);
    print_kinds();
    puts(")' 'results:result directory:_files -/'\n}\n\n_carom() {\n    local -a commands=(");
    for (int i = 0; i < count; i++) {
        printf("        '%s:", commands[i].name);
        print_quoted(commands[i].summary, ":");
        puts("'");
    }
    puts("    )\n"
         "    if ((CURRENT == 2)); then\n"
         "        _describe command commands\n"
         "        _arguments '--help[show the help]' '--version[show the version]'\n"
         "        return\n"
         "    fi\n"
         "    shift words\n"
         "    ((CURRENT--))\n"
         "    case $words[1] in");
    for (int i = 0; i < count; i++) {
        const carom_command *command = &commands[i];
        printf("        %s)\n            _arguments '(-h --help)'{-h,--help}'[show this help]'", command->name);
        for (const carom_option *o = command->options; o->name; o++)
            zsh_option(o);
        if (command->operands_max != 0) {
            printf(" \\\n            '%s", command->operands_max < 0 ? "*" : "1");
            zsh_words("argument", command->word, command->choices);
            putchar('\'');
        }
        puts(" ;;");
    }
    puts("    esac\n}\n\n_carom \"$@\"");
}

// fish completes by separate rules, each with the condition under which it holds.
static void fish_words(carom_word word, const char *const *choices) {
    switch (word) {
    case CAROM_WORD_NONE:
    case CAROM_WORD_TEXT: break;
    case CAROM_WORD_SCENE: fputs(" -k -a '(__fish_complete_suffix .yaml .json)'", stdout); break;
    case CAROM_WORD_DIRECTORY: fputs(" -a '(__fish_complete_directories)'", stdout); break;
    case CAROM_WORD_FILE: fputs(" -F", stdout); break;
    case CAROM_WORD_KIND:
        fputs(" -a '", stdout);
        print_kinds();
        fputs(" (__fish_complete_directories)'", stdout);
        break;
    case CAROM_WORD_CHOICE:
        fputs(" -a '", stdout);
        print_choices(choices);
        putchar('\'');
        break;
    }
}

// `-f` first: no file names, unless a rule says -F.
static void print_fish(void) {
    int count;
    const carom_command *commands = carom_commands(&count);
    puts("# fish completion of carom, written by: carom completion fish\ncomplete -c carom -f");
    puts("complete -c carom -n __fish_use_subcommand -l version -d 'show the version'\n"
         "complete -c carom -s h -l help -d 'show the help'");
    for (int i = 0; i < count; i++) {
        const carom_command *command = &commands[i];
        printf("complete -c carom -n __fish_use_subcommand -a %s -d '", command->name);
        print_quoted(command->summary, "");
        puts("'");
        for (const carom_option *o = command->options; o->name; o++) {
            printf("complete -c carom -n '__fish_seen_subcommand_from %s' -l %s", command->name, o->name);
            if (o->letter)
                printf(" -s %c", o->letter);
            if (o->argument)
                fputs(" -r", stdout);
            fish_words(o->argument ? o->word : CAROM_WORD_NONE, o->choices);
            fputs(" -d '", stdout);
            print_quoted(o->doc, "");
            puts("'");
        }
        if (command->word != CAROM_WORD_NONE && command->word != CAROM_WORD_TEXT) {
            printf("complete -c carom -n '__fish_seen_subcommand_from %s'", command->name);
            fish_words(command->word, command->choices);
            putchar('\n');
        }
    }
}

int carom_command_completion(const carom_arguments *arguments) {
    const char *shell = arguments->operands[0];
    if (strcmp(shell, "bash") == 0) {
        print_bash();
    } else if (strcmp(shell, "zsh") == 0) {
        print_zsh();
    } else if (strcmp(shell, "fish") == 0) {
        print_fish();
    } else {
        return carom_refuse("no completion for the shell '%s' (there are bash, zsh, fish)", shell);
    }
    return CAROM_EXIT_DONE;
}
