"""Makes a query that needs an index, by Google's client, and prints its answer: the number of
documents, or the code and the message of its refusal.

    python refused_query.py PROJECT COLLECTION
"""

import sys

from google.api_core.exceptions import GoogleAPICallError
from google.cloud.firestore import Client, Query
from google.cloud.firestore_v1.base_query import FieldFilter

project, collection = sys.argv[1:]
cities = Client(project=project).collection(collection)
query = cities.where(filter=FieldFilter("country", "==", "fi")).order_by(
    "population", direction=Query.DESCENDING
)
try:
    print("answered", len(query.get()))
except GoogleAPICallError as error:
    print(error.grpc_status_code.name, error.message)
