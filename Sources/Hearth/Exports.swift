// Users of Hearth need these types; the export lets them import one module.
@_exported public import DocumentModel
@_exported public import QueryPlanning
@_exported public import Reports
