"""How long forms take: the class (latencies.isa) that unit and types of operands tell, where the row does not."""
UNITS = {'INTERNAL': 'salu', 'MESSAGE': 'salu', 'SALU': 'salu', 'BRANCH': 'branch', 'SMEM': 'smem', 'LDS': 'lds',
         'VMEM': 'vmem', 'FLAT': 'vmem', 'EXPORT': 'export'}
DOUBLES, WIDE = {'f64', 'pk_f64'}, {'i64', 'u64', 'b64'}
PASSES = {4: 2, 16: 8, 32: 16}  # of a matrix, by its rows


def latency(form, signature, words):
    """The class of a form whose unit is known."""
    said = next((w.partition('=')[2] for w in words if w.startswith('latency=')), None)
    if said:
        return said
    if form.issue == 'MATRIX':
        return matrix(form, words)
    if form.issue == 'SALU' and 'salu-float' in words:
        return 'salu-float'
    if form.issue in UNITS:
        return UNITS[form.issue]
    types = {o.type for o in signature.results + signature.sources}
    if form.issue == 'TRANS':
        scalar = signature.results[0].takes == 's'
        return 'trans-double' if types & DOUBLES else 'trans-scalar' if scalar else 'trans'
    if types & DOUBLES:
        return 'double-convert' if len(signature.sources) == 1 and types - DOUBLES - {'mask'} else 'double'
    return 'wide' if types & WIDE else 'valu'


def matrix(form, words):
    if not form.matrix:
        return 'valu'  # what loads the scales
    if form.matrix.kind in ('wmma', 'swmmac'):
        return 'wmma-slow' if form.matrix.elements[3] == 'i32' else 'wmma'
    said = next((w.partition('=')[2] for w in words if w.startswith('passes=')), PASSES[form.matrix.m])
    return 'mfma-%s' % said
