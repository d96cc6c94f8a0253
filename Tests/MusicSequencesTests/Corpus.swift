// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// The corpus of real and damaged files, if it is installed.
enum Corpus {
  static let folder: String = {
    let named = ProcessInfo.processInfo.environment["DOWNBEAT_CORPUS"]
    return named ?? FileManager.default.currentDirectoryPath + "/../shared/corpus"
  }()

  static var isPresent: Bool {
    FileManager.default.fileExists(atPath: folder + "/oracle.jsonl")
  }

  static func bytes(of path: String) throws -> [UInt8] {
    Array(try FileContent.data(folder + "/" + path))
  }

  /// One line of the oracle: what an independent reader found in a file.
  struct Entry: @unchecked Sendable {
    // Written once, when the line is parsed.
    let fields: [String: Any]

    var path: String { fields["path"] as? String ?? "" }
    var status: String { fields["status"] as? String ?? "" }
    var confidence: String { fields["confidence"] as? String ?? "" }

    func number(_ name: String) -> Int? { (fields[name] as? NSNumber)?.intValue }
    func text(_ name: String) -> String? { fields[name] as? String }
    func list(_ name: String) -> [Any]? { fields[name] as? [Any] }
    func object(_ name: String) -> [String: Any]? { fields[name] as? [String: Any] }
  }

  static func entries() throws -> [Entry] {
    let text = try String(contentsOfFile: folder + "/oracle.jsonl", encoding: .utf8)
    return try text.split(separator: "\n").map { line in
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return Entry(fields: value as? [String: Any] ?? [:])
    }
  }
}
