// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Testing

/// Validates the output of commands against the schemas in Documentation/schema.
public enum SchemaJudge {
  /// The folder of the schemas.
  public static let folder = ToolRun.packageFolder.appendingPathComponent("Documentation/schema")

  /// True if a validator is installed (`make test` installs it).
  public static let isAvailable =
    (try? ToolRun(["-c", "import jsonschema"], command: python).status) == 0

  /// The reason for which tests that need it are skipped.
  public static let reason: Comment = "no jsonschema: apt install python3-jsonschema"

  private static let python = "/usr/bin/python3"

  /// Reads a schema's path and documents, one per line, from standard input; prints the faults.
  private static let judge = """
    import json, sys, jsonschema
    schema = json.load(open(sys.argv[1]))
    jsonschema.Draft202012Validator.check_schema(schema)
    judge = jsonschema.Draft202012Validator(schema)
    for line in sys.stdin:
        for error in judge.iter_errors(json.loads(line)):
            print(error.message[:400], [e.message[:200] for e in error.context][:6])
    """

  /// Returns the faults of documents, one per line, or a message without a validator.
  ///
  /// - Throws: An error if the validator cannot be started.
  public static func faults(of documents: Data, in schema: String) throws -> String {
    let verdict = try ToolRun(
      ["-c", judge, folder.appendingPathComponent("\(schema).json").path], input: documents,
      command: python)
    return verdict.text + (verdict.status == 0 ? "" : verdict.errors)
  }
}
