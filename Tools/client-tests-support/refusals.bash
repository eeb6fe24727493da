# The last step of Tools/client-tests. Python, Go and REST make queries whose indexes are missing.
# Each is refused with production's message, and answered when `hearth index create` has got the
# message's link, or gcloud its command, while the server runs. Then gcloud lists and deletes the
# indexes, changes those of a field, and lists the operations.

collections=()
parent="projects/$project/databases/(default)/documents"
refusal="The query requires an index\. You can create it here:"
link="https://console\.firebase\.google\.com/v1/r/project/$project/firestore/indexes\?create_"

# expect NAME WANTED ACTUAL: WANTED is a regular expression for all of ACTUAL.
expect() {
  if [[ $3 =~ ^$2$ ]]; then return; fi
  printf 'refusals, %s:\n< %s\n> %s\n' "$1" "$2" "$3"
  failed=1
}

# ask_CALLER COLLECTION: prints "answered" and the number of documents, or the code and the message.
ask_python() {
  FIRESTORE_EMULATOR_HOST=$address \
    "$work/python/bin/python" "$support/refused_query.py" "$project" "$1"
}

ask_go() { FIRESTORE_EMULATOR_HOST=$address "$work/refused_query" "$project" "$1"; }

ask_rest() {
  ask_by_rest '{"structuredQuery": {"from": [{"collectionId": "'"$1"'"}],
    "where": {"fieldFilter": {"field": {"fieldPath": "country"}, "op": "EQUAL",
      "value": {"stringValue": "fi"}}},
    "orderBy": [{"field": {"fieldPath": "population"}, "direction": "DESCENDING"}]}}'
}

# ask_field COLLECTION: by a query that needs the automatic index of a field.
ask_field() {
  ask_by_rest '{"structuredQuery": {"from": [{"collectionId": "'"$1"'"}],
    "orderBy": [{"field": {"fieldPath": "population"}}]}}'
}

ask_by_rest() {
  local answer error='"message":"([^"]*)","status":"([A-Z_]+)"'
  answer=$(curl -s --data-binary "$1" "http://$address/v1/$parent:runQuery")
  if [[ $answer =~ $error ]]; then
    echo "${BASH_REMATCH[2]} ${BASH_REMATCH[1]}"
  else
    echo "answered $(grep -o '"document":' <<<"$answer" | wc -l)"
  fi
}

# gcloud_firestore ARGUMENT...: a command of gcloud, which calls the server and nothing else.
gcloud_firestore() {
  CLOUDSDK_API_ENDPOINT_OVERRIDES_FIRESTORE=http://$address/ CLOUDSDK_CORE_PROJECT=$project \
    CLOUDSDK_AUTH_DISABLE_CREDENTIALS=true CLOUDSDK_CONFIG=$work/gcloud \
    CLOUDSDK_CORE_DISABLE_USAGE_REPORTING=true CLOUDSDK_CORE_DISABLE_PROMPTS=true \
    CLOUDSDK_COMPONENT_MANAGER_DISABLE_UPDATE_CHECK=true gcloud firestore "$@" 2>>"$log"
}

# create_by_WAY COLLECTION LINK: makes the index that the query needs.
create_by_link() { "$hearth" index create "$2" --db "$data/$project/(default)" >>"$log" 2>&1; }

create_by_gcloud() {
  gcloud_firestore indexes composite create --collection-group="$1" \
    --field-config=field-path=country,order=ascending \
    --field-config=field-path=population,order=descending >>"$log"
}

# check_refusal CALLER WAY: CALLER's query is refused, and is answered with the index made by WAY.
check_refusal() {
  local collection=$1-$2 answer
  curl -s -o "$log" "http://$address/v1/$parent/$collection" \
    --data-binary '{"fields": {"country": {"stringValue": "fi"}, "population": {"integerValue": "5"}}}'
  answer=$("ask_$1" "$collection" 2>&1 || true)
  expect "$collection, without its index" \
    "FAILED_PRECONDITION $refusal ${link}composite=[A-Za-z0-9_-]+" "$answer"
  if ! "create_by_$2" "$collection" "${answer##* }"; then
    echo "refusals, $collection: the index isn't made."
    cat "$log"
    failed=1
  fi
  expect "$collection, with its index" "answered 1" "$("ask_$1" "$collection" 2>&1 || true)"
  collections+=("$collection")
}

# check_gcloud: what else gcloud administers.
check_gcloud() {
  local collection=rest-gcloud listed index
  listed=$(gcloud_firestore indexes composite list --format='csv[no-heading](name,state)' || true)
  expect "gcloud's list" "([0-9a-z]+,READY"$'\n'"?){${#collections[@]}}" "$listed"

  # By itself gcloud shows a name's last part, and the collection in a column that is no field.
  index=$(gcloud_firestore indexes composite list --format=json |
    sed -nE 's|.*"name": "[^"]*/collectionGroups/'$collection'/indexes/([^"]+)".*|\1|p' || true)
  gcloud_firestore indexes composite delete "$index" >>"$log" || true
  expect "gcloud's delete" "FAILED_PRECONDITION $refusal .*" "$(ask_rest $collection)"

  gcloud_firestore indexes fields update population --collection-group=$collection \
    --disable-indexes >>"$log" || true
  expect "gcloud's exemption" "FAILED_PRECONDITION The query requires a COLLECTION_ASC index for \
collection $collection and field population\. You can create it here: ${link}exemption=.*" \
    "$(ask_field $collection)"
  gcloud_firestore indexes fields update population --collection-group=$collection \
    --clear-exemption >>"$log" || true
  expect "gcloud's end of an exemption" "answered 1" "$(ask_field $collection)"

  # One for each index that gcloud has made, and two for the field.
  listed=$(gcloud_firestore operations list \
    --format='csv[no-heading](metadata.field.basename(),done,metadata.state)' | LC_ALL=C sort || true)
  expect "gcloud's list of operations" \
    "(,True,SUCCESSFUL"$'\n'"){$((${#collections[@]} / 2))}(population,True,SUCCESSFUL"$'\n'"?){2}" \
    "$listed"
}

run_refusals() {
  local callers=() ways=(link) caller way data=$work/refusals
  if ! command -v curl >/dev/null; then
    skip "the refusals need curl."
    return
  fi
  if has_python; then callers+=(python); fi
  if has_go; then
    build_go build -o "$work/refused_query" "$support/refused_query.go"
    callers+=(go)
  fi
  if command -v gcloud >/dev/null; then ways+=(gcloud); else skip "gcloud isn't there."; fi
  rm -rf "$data"
  mkdir "$data"
  start_server --db "$data"
  for caller in "${callers[@]}" rest; do
    for way in "${ways[@]}"; do check_refusal "$caller" "$way"; done
  done
  if command -v gcloud >/dev/null; then check_gcloud; fi
  stop_server
  echo "refusals: ${#collections[@]} queries, without their indexes and with them"
}
