// A user of Hearth speaks in these types, and imports one module.
@_exported public import DocumentModel
@_exported public import QueryPlanning
