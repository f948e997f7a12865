"""A contract for import-linter: which modules must not reach which, with exceptions by name."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import ClassVar, cast

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


def matches(module: str, patterns: list[str]) -> bool:
    """Whether a module, or a package that holds it, matches one of the patterns (as of shells)."""
    parts = module.split(".")
    names = [".".join(parts[: count + 1]) for count in range(len(parts))]
    return any(fnmatchcase(name, pattern) for name in names for pattern in patterns)


class UnreachableContract(Contract):
    """Modules that import others neither directly nor through a third.

    import-linter's own `forbidden` contract names packages or whole modules; this one takes
    patterns and exceptions, so that a new module is covered from its first line.

    - source_modules: patterns of the modules that must not reach the hidden ones;
    - source_exceptions: patterns of those among them that may;
    - hidden_modules: patterns of the modules that must not be reached.
    """

    type_name: ClassVar[str] = "unreachable"

    source_modules = fields.ListField(subfield=fields.StringField())
    source_exceptions = fields.ListField(subfield=fields.StringField(), required=False, default=[])
    hidden_modules = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Search one chain of imports from each source module to each hidden one."""
        sources = cast("list[str]", self.source_modules)
        exceptions = cast("list[str]", self.source_exceptions)
        hidden = sorted(
            module
            for module in graph.modules
            if matches(module, cast("list[str]", self.hidden_modules))
        )
        chains = []
        for source in sorted(graph.modules):
            if not matches(source, sources) or matches(source, exceptions):
                continue
            for target in hidden:
                chain = graph.find_shortest_chain(importer=source, imported=target)
                if chain is not None:
                    chains.append(" -> ".join(chain))
        return ContractCheck(kept=not chains and bool(hidden), metadata={"chains": chains})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print each chain; with none, the patterns of the hidden modules match nothing."""
        for chain in check.metadata["chains"] or ["hidden_modules match no module"]:
            output.print_error(chain)
            output.new_line()
