import HearthDocumentModel
import HearthFirestoreJSON
import HearthQueryPlanning
import Testing

@Suite struct IndexStanzaTests {
  private func column(_ field: String, _ mode: IndexMode) throws -> IndexColumn {
    IndexColumn(try FieldPath(field), mode)
  }

  @Test func compositeLeavesImpliedNameOut() throws {
    let index = IndexDefinition(
      "cities",
      [try column("countryCode", .ascending), try column("population", .descending)])
    #expect(
      IndexStanza.text(for: index) == """
        {
          "indexes": [
            {
              "collectionGroup": "cities",
              "queryScope": "COLLECTION",
              "fields": [
                {
                  "fieldPath": "countryCode",
                  "order": "ASCENDING"
                },
                {
                  "fieldPath": "population",
                  "order": "DESCENDING"
                }
              ]
            }
          ],
          "fieldOverrides": []
        }
        """)
  }

  @Test func nameTurnedRoundIsWritten() throws {
    let columns = [try column("n", .ascending), IndexColumn(.documentID, .descending)]
    let text = IndexStanza.text(
      for: IndexDefinition("c", columns, scope: .collectionGroup))
    #expect(
      text == """
        {
          "indexes": [
            {
              "collectionGroup": "c",
              "queryScope": "COLLECTION_GROUP",
              "fields": [
                {
                  "fieldPath": "n",
                  "order": "ASCENDING"
                },
                {
                  "fieldPath": "__name__",
                  "order": "DESCENDING"
                }
              ]
            }
          ],
          "fieldOverrides": []
        }
        """)
    let names = IndexDefinition("c", [IndexColumn(.documentID, .descending)])
    #expect(IndexStanza.text(for: names).contains(#""fieldPath": "__name__""#))
  }

  @Test func singleFieldIndexKeepsWhatTheFieldHas() throws {
    let index = IndexDefinition(
      "to\"dos", [try column("`a b`.c", .contains)], scope: .collectionGroup)
    let missing = MissingIndex(index: index, smaller: nil)
    #expect(
      IndexStanza.text(for: missing) == """
        {
          "indexes": [],
          "fieldOverrides": [
            {
              "collectionGroup": "to\\"dos",
              "fieldPath": "`a b`.c",
              "indexes": [
                {
                  "order": "ASCENDING",
                  "queryScope": "COLLECTION"
                },
                {
                  "order": "DESCENDING",
                  "queryScope": "COLLECTION"
                },
                {
                  "arrayConfig": "CONTAINS",
                  "queryScope": "COLLECTION"
                },
                {
                  "arrayConfig": "CONTAINS",
                  "queryScope": "COLLECTION_GROUP"
                }
              ]
            }
          ]
        }
        """)
  }

  @Test func exemptedFieldGetsOnlyWhatIsMissing() throws {
    let index = IndexDefinition("todos", [try column("body", .descending)])
    let text = IndexStanza.text(for: index, beside: [])
    #expect(text.contains("\"DESCENDING\""))
    #expect(!text.contains("\"ASCENDING\""))
    #expect(IndexStanza.text(for: index).split(separator: "\"DESCENDING\"").count == 2)
  }
}
