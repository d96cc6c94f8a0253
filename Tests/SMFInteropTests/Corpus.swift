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

  /// The paths and sizes of files by the oracle's word for them: clean, anomalous, partial, fatal.
  static func files(_ statuses: Set<String>) throws -> [(path: String, size: Int)] {
    let text = try String(contentsOfFile: folder + "/oracle.jsonl", encoding: .utf8)
    return try text.split(separator: "\n").compactMap { line in
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      guard let fields = value as? [String: Any], let path = fields["path"] as? String,
        let status = fields["status"] as? String, statuses.contains(status)
      else { return nil }
      return (folder + "/" + path, (fields["size"] as? NSNumber)?.intValue ?? 0)
    }
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try FileContent.data(path))
  }
}
