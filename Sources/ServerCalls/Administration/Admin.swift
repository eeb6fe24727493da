package import HearthProtocols
package import SwiftProtobuf

/// The messages of `google.firestore.admin.v1` and of its operations, by their names there.
package enum Admin {
  package typealias CancelOperationRequest = Google_Longrunning_CancelOperationRequest
  package typealias CreateDatabaseMetadata = Google_Firestore_Admin_V1_CreateDatabaseMetadata
  package typealias CreateDatabaseRequest = Google_Firestore_Admin_V1_CreateDatabaseRequest
  package typealias CreateIndexRequest = Google_Firestore_Admin_V1_CreateIndexRequest
  package typealias DatabaseMessage = Google_Firestore_Admin_V1_Database
  package typealias DeleteDatabaseMetadata = Google_Firestore_Admin_V1_DeleteDatabaseMetadata
  package typealias DeleteDatabaseRequest = Google_Firestore_Admin_V1_DeleteDatabaseRequest
  package typealias DeleteIndexRequest = Google_Firestore_Admin_V1_DeleteIndexRequest
  package typealias DeleteOperationRequest = Google_Longrunning_DeleteOperationRequest
  package typealias Empty = Google_Protobuf_Empty
  package typealias Field = Google_Firestore_Admin_V1_Field
  package typealias FieldOperationMetadata = Google_Firestore_Admin_V1_FieldOperationMetadata
  package typealias GetDatabaseRequest = Google_Firestore_Admin_V1_GetDatabaseRequest
  package typealias GetFieldRequest = Google_Firestore_Admin_V1_GetFieldRequest
  package typealias GetIndexRequest = Google_Firestore_Admin_V1_GetIndexRequest
  package typealias GetOperationRequest = Google_Longrunning_GetOperationRequest
  package typealias Index = Google_Firestore_Admin_V1_Index
  package typealias IndexField = Google_Firestore_Admin_V1_Index.IndexField
  package typealias IndexOperationMetadata = Google_Firestore_Admin_V1_IndexOperationMetadata
  package typealias ListDatabasesRequest = Google_Firestore_Admin_V1_ListDatabasesRequest
  package typealias ListDatabasesResponse = Google_Firestore_Admin_V1_ListDatabasesResponse
  package typealias ListFieldsRequest = Google_Firestore_Admin_V1_ListFieldsRequest
  package typealias ListFieldsResponse = Google_Firestore_Admin_V1_ListFieldsResponse
  package typealias ListIndexesRequest = Google_Firestore_Admin_V1_ListIndexesRequest
  package typealias ListIndexesResponse = Google_Firestore_Admin_V1_ListIndexesResponse
  package typealias ListOperationsRequest = Google_Longrunning_ListOperationsRequest
  package typealias ListOperationsResponse = Google_Longrunning_ListOperationsResponse
  package typealias OperationMessage = Google_Longrunning_Operation
  package typealias OperationState = Google_Firestore_Admin_V1_OperationState
  package typealias ProgressMessage = Google_Firestore_Admin_V1_Progress
  package typealias UpdateFieldRequest = Google_Firestore_Admin_V1_UpdateFieldRequest
}
