// Users of rules need these types; the export lets them import one module.
@_exported public import HearthSecurityRules
