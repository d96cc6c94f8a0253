// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Testing

/// Holds what commands write to the schemas of Documentation/schema.
public enum SchemaJudge {
  /// The schemas.
  public static let folder = ToolRun.packageFolder.appendingPathComponent("Documentation/schema")

  /// Whether there is a validator; `make test` installs it.
  public static let isAvailable =
    (try? ToolRun(["-c", "import jsonschema"], command: python).status) == 0

  /// Why a test that needs it is skipped.
  public static let reason: Comment = "no jsonschema: apt install python3-jsonschema"

  private static let python = "/usr/bin/python3"

  /// Reads a schema's path and documents, one a line, from standard input; tells what is wrong.
  private static let judge = """
    import json, sys, jsonschema
    schema = json.load(open(sys.argv[1]))
    jsonschema.Draft202012Validator.check_schema(schema)
    judge = jsonschema.Draft202012Validator(schema)
    for line in sys.stdin:
        for error in judge.iter_errors(json.loads(line)):
            print(error.message[:400], [e.message[:200] for e in error.context][:6])
    """

  /// What is wrong with documents, one a line; where there is no validator, that.
  ///
  /// - Throws: where the validator cannot be started.
  public static func faults(of documents: Data, in schema: String) throws -> String {
    let verdict = try ToolRun(
      ["-c", judge, folder.appendingPathComponent("\(schema).json").path], input: documents,
      command: python)
    return verdict.text + (verdict.status == 0 ? "" : verdict.errors)
  }
}
