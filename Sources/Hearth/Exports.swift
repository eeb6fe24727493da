// Users of Hearth need these types; the export lets them import one module.
@_exported public import HearthDocumentModel
@_exported public import HearthQueryPlanning
@_exported public import HearthReports
