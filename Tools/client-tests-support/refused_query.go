// Makes a query that needs an index, by Google's client, and prints its answer: the number of
// documents, or the code and the message of its refusal.
//
//	refused_query PROJECT COLLECTION
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"cloud.google.com/go/firestore"
	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/grpc/status"
)

func main() {
	ctx := context.Background()
	client, err := firestore.NewClient(ctx, os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	cities := client.Collection(os.Args[2])
	query := cities.Where("country", "==", "fi").OrderBy("population", firestore.Desc)
	documents, err := query.Documents(ctx).GetAll()
	if err != nil {
		refusal := status.Convert(err)
		fmt.Println(code.Code(refusal.Code()), refusal.Message())
		return
	}
	fmt.Println("answered", len(documents))
}
