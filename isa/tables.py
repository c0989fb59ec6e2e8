"""Reads the instruction tables (*.isa) into families and rows. docs/isa-tables.md explains the files.

Every fact of a row holds from the generation it names on, until the row says otherwise or ends with `-`."""
import fnmatch
import glob
import io
import os
import re


class Output(io.StringIO):
    """A file that is written only where it changes, so that what depends on it is not built again."""

    def __init__(self, path):
        super().__init__()
        self.path = path

    def __exit__(self, failed, *rest):
        if not failed and not (os.path.exists(self.path) and open(self.path).read() == self.getvalue()):
            with open(self.path, 'w') as file:
                file.write(self.getvalue())
        super().__exit__(failed, *rest)


class Wrong(Exception):
    """What the tables say that cannot be: where, and what was expected."""


class Format:
    """Where the fields of an encoding lie on one generation: {name: pieces}, pieces = ((at, width, to), ...)."""

    def __init__(self, words):
        self.op, self.ones, self.free, self.fields = (), 0, 0, {}
        for word in words:
            name, value = word.split('=', 1)
            if name == 'op':
                self.op = pieces(value)
            elif name in ('ones', 'free'):
                setattr(self, name, int(value, 16))
            else:
                self.fields[name] = pieces(value)


def pieces(text):
    """'32:8+55:1:8' -> ((at, width, to), ...)"""
    return tuple((int(p[0]), int(p[1]), int(p[2]) if len(p) > 2 else 0)
                 for p in (x.split(':') for x in text.split('+')))


class Operand:
    """`role:class.type/place.operation&` of a signature. Each part but the type may be left out: the role follows from
    the place, the class (what may stand there, or a memory space) from the encoding; only memory has an operation, an
    atomic one; & marks a result that is read too. `of` is the type that it has; `type` the one that says how it stands
    in registers and how constants are read, which is the same where `/place` does not name another."""
    PATTERN = re.compile(r'(?:(\w+):)?(?:(\w+)\.)?(\w+)(?:/(\w+))?(?:\.(\w+))?(&?)(?:\{([+a-z]*)\})?$')

    def __init__(self, text):
        m = self.PATTERN.match(text)
        if not m:
            raise Wrong('"%s" is no operand: [role:][class.]type[/type][&] was expected' % text)
        self.role, self.takes, self.of, self.type, self.operation, both, self.bits = m.groups()
        self.type = self.type or self.of
        self.both = both == '&'


class Signature:
    """`results = sources`; what stands in parentheses is read or written without standing in text or bits."""

    def __init__(self, text):
        left, equals, right = text.partition('=') if '=' in text else ('', '', text)
        self.results, self.writes = self.operands(left)
        self.sources, self.reads = self.operands(right)

    @staticmethod
    def operands(text):
        words = text.split()
        return ([Operand(w) for w in words if w[0] != '('], [w[1:-1] for w in words if w[0] == '('])


class Row:
    """An instruction: where it is encoded how (`opcodes`: generation -> family, opcode), what it is called, its
    signature and its words, each by generation."""

    def __init__(self, name, where):
        self.name, self.where = name, where
        self.opcodes, self.names, self.signatures, self.words = {}, {}, {}, {}


# What a line may be, in the order in which they are read: by its first word, but for rows.
KINDS = ('generation', 'word', 'latency', 'feature', 'format', 'family', 'alias', 'row', 'amend')


def logical(path):
    """[(file:line, text)] without comments; a line that begins with a blank continues the one before."""
    out = []
    for number, line in enumerate(open(path), 1):
        text = line.split('#')[0].rstrip()
        if text[:1] == ' ' and out:
            out[-1] = (out[-1][0], out[-1][1] + ' ' + text.strip())
        elif text:
            out.append(('%s:%d' % (path, number), text))
    return out


class Tables:
    def __init__(self, folder, more=()):
        self.generations, self.formats, self.families, self.rows, self.aliases = [], {}, {}, [], []
        self.features = {}  # {name: encodings of which each form needs it}
        self.words, self.names = set(), {}  # what rows may say; {name: row}
        self.registers = []  # by generation: {fact: value} of generations.isa
        self.family_words, self.encoding_features = {}, {}
        self.latencies = {}  # {class: cycles by generation}
        readers = {kind: getattr(self, kind) for kind in KINDS}
        lines = [line for path in sorted(glob.glob(os.path.join(folder, '*.isa'))) + list(more) for line in logical(path)]
        for kind in KINDS:
            for where, line in lines:
                if (line.split()[0] if line.split()[0] in KINDS else 'row') == kind:
                    self.located(where, readers[kind], line, where)

    @staticmethod
    def located(where, function, *arguments):
        try:
            function(*arguments)
        except Wrong as wrong:
            raise Wrong('%s: %s' % (where, wrong)) from None

    # -- lines ------------------------------------------------------------------------------------------------------

    def generation(self, line, where):
        """generation NAME fact=value...: facts are inherited."""
        _, name, *facts = line.split()
        before = self.registers[-1] if self.registers else {}
        self.generations.append(name)
        self.registers.append(dict(before, **dict(fact.split('=') for fact in facts)))

    def index(self, name):
        if name not in self.generations:
            raise Wrong('no generation is called "%s"; generations.isa names them' % name)
        return self.generations.index(name)

    def onward(self, entries):
        """[(generation or '', value)] -> [value for each generation]: each holds from its generation on."""
        out = [None] * len(self.generations)
        for name, value in entries:
            self.hold(out, name, value)
        return out

    def hold(self, values, generation, value):
        """Of the values by generation, gives those from this generation ('': the first) on."""
        first = self.index(generation) if generation else 0
        values[first:] = [value] * (len(values) - first)

    def format(self, line, where):
        """format NAME GENERATION fields...: from that generation on; `NAME GENERATION -` ends it."""
        _, name, generation, *words = line.split()
        entries = self.formats.setdefault(name, [None] * len(self.generations))
        self.hold(entries, generation, None if words == ['-'] else Format(words))

    def family(self, line, where):
        """family NAME [words] GENERATION:encodings...; `+x` adds an encoding to those before, `-x` takes one away.
        Words are those of all its rows; one from a generation on has `=`."""
        _, name, *words = line.split()
        own = [w for w in words if ':' not in w or w.partition(':')[2].partition('=')[0] + '=' in self.words]
        self.family_words[name] = self.words_of(' '.join(own))
        self.check_words(name, set().union(*self.family_words[name]))
        words = [w for w in words if w not in own]
        entries, current = [], []
        for word in words:
            generation, colon, encodings = word.partition(':')
            for e in encodings.split(',') if encodings != '-' else []:
                if e[0] == '-':
                    current = [x for x in current if x != e[1:]]
                elif e[0] == '+':
                    current = current + [e[1:]]
                else:
                    current = [e] if e == encodings.split(',')[0] else current + [e]
            entries.append((generation, [] if encodings == '-' else current))
        self.families[name] = self.onward(entries)

    def alias(self, line, where):
        """alias FROM [until END] OTHER=NAME..."""
        _, first, *words = line.split()
        end = len(self.generations)
        if words[0] == 'until':
            end, words = self.index(words[1]), words[2:]
        self.aliases.append((self.index(first), end, [w.split('=') for w in words]))

    def feature(self, line, where):
        _, name, *encodings = line.split()
        self.features[name] = encodings

    def latency(self, line, where):
        """latency CLASS GENERATION:CYCLES..."""
        _, name, *facts = line.split()
        self.latencies[name] = self.onward([(fact.split(':')[0], int(fact.split(':')[1])) for fact in facts])

    def word(self, line, where):
        self.words.add(line.split()[1])

    def check_words(self, name, words):
        for word in words:
            known = word.lstrip('-')
            known = known[:known.index('=') + 1] if '=' in known else known
            if known not in self.words and known not in self.features:
                raise Wrong('%s: "%s" is neither a word of words.isa nor a feature' % (name, word))

    def row(self, line, where):
        """NAME FAMILY GENERATION:OPCODE... GENERATION=OTHER_NAME... / signature | GENERATION signature / words"""
        head, signature, words, *more = re.split(r'\s/(?=\s|$)', line) + ['', '']
        name, family, *facts = head.split()
        if family not in self.families:
            raise Wrong('%s: no family is called "%s"; families.isa names them' % (name, family))
        row = Row(name, where)
        opcodes, names = self.facts(name, family, facts)
        if not opcodes:
            raise Wrong('%s has no opcode' % name)
        row.opcodes, row.names = self.onward(opcodes), self.onward([('', name)] + names)
        first, *others = signature.split('|')
        row.signatures = self.onward([('', Signature(first))] + [
            (g.strip(), Signature(text)) for g, _, text in (other.partition(':') for other in others)])
        row.words = self.words_of(words)
        self.check_words(name, set().union(*row.words))
        if name in self.names:
            raise Wrong('%s: a row of that name stands in %s' % (name, self.names[name].where))
        self.names[name] = row
        self.rows.append(row)

    def commuted(self):
        """{row: the row that computes the same with the first two sources exchanged}, by name."""
        out = {}
        for row in self.rows:
            for word in set().union(*row.words):
                if word == 'commutes':
                    out[row.name] = row.name
                elif word.startswith('commutes='):
                    other = word.partition('=')[2]
                    if other not in self.names or other in out or row.name in out:
                        raise Wrong('%s: %s: %s is no row, or commutes with another' % (row.where, row.name, other))
                    out[row.name], out[other] = other, row.name
        return out

    def features_of(self, encoding):
        """The features that every form of an encoding needs."""
        if encoding not in self.encoding_features:
            self.encoding_features[encoding] = {name for name, encodings in self.features.items()
                                                if any(fnmatch.fnmatch(encoding, e) for e in encodings)}
        return self.encoding_features[encoding]

    def all_words(self, row, generation):
        """The words of a row and of its family, and the feature of the generation that it came with; a row's `-word` takes
        one of these away."""
        words = self.family_words[row.opcodes[generation][0]][generation] | row.words[generation]
        came = next((g for g in range(generation, 0, -1) if row.opcodes[g - 1] is None), 0)
        words |= {self.registers[came][fact] for fact in ('came-with',) if fact in self.registers[came]}
        return {w for w in words if '-' + w not in words}

    def facts(self, name, family, words):
        """[(generation, (family, opcode) or None)] and [(generation, name)] of a row's `GENERATION:[FAMILY.]OPCODE` and
        `GENERATION=NAME`."""
        opcodes, names = [], []
        for word in words:
            m = re.match(r'([\w.-]+?)(?::(?:(\w+)\.)?([0-9a-f]+|-)|=(\w+))$', word)
            if not m:
                raise Wrong('%s: "%s" is neither GENERATION:OPCODE nor GENERATION=NAME' % (name, word))
            if m[4]:
                names.append((m[1], m[4]))
            elif m[2] and m[2] not in self.families:
                raise Wrong('%s: no family is called "%s"' % (name, m[2]))
            else:
                opcodes.append((m[1], None if m[3] == '-' else (m[2] or family, int(m[3], 16))))
        return opcodes, names

    def amend(self, line, where):
        """amend NAME GENERATION:OPCODE... GENERATION=NAME...: what changes in a row that stands elsewhere."""
        _, name, *words = line.split()
        row = self.names.get(name)
        if not row:
            raise Wrong('no row is called "%s"' % name)
        family = next(entry[0] for entry in reversed(row.opcodes) if entry)
        opcodes, names = self.facts(name, family, words)
        for entries, changes in ((row.opcodes, opcodes), (row.names, names)):
            for generation, value in changes:
                self.hold(entries, generation, value)

    def words_of(self, text):
        """Words by generation: `word` always, `GENERATION:word` from there on, `GENERATION:-word` no longer."""
        out = [set() for _ in self.generations]
        for word in text.split():
            generation, _, what = word.partition(':') if ':' in word and word.split(':')[0] in self.generations \
                else ('', '', word)
            for some in out[self.index(generation) if generation else 0:]:
                some.discard(what[1:]) if what[0] == '-' and what[1:] in some else some.add(what)
        return out
