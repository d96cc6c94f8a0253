// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Testing

/// The folder of real MIDI files, read in place; other people's work, so not part of the project.
public enum CorpusFolder {
  /// Where it is: `DOWNBEAT_CORPUS`, or beside the checkout.
  public static let url = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["DOWNBEAT_CORPUS"]
      ?? ToolRun.packageFolder.appendingPathComponent("../shared/corpus").path)

  /// Whether it is there.
  public static let isThere = FileManager.default.fileExists(atPath: url.path)

  /// Why a test that needs it is skipped.
  public static let reason: Comment = "no corpus of MIDI files (set DOWNBEAT_CORPUS)"

  /// The MIDI files of a folder in it and of the folders below, in order of path.
  ///
  /// - Throws: where the folder cannot be read.
  public static func midiFiles(under folder: String) throws -> [URL] {
    let root = url.appendingPathComponent(folder)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    return paths.filter { $0.lowercased().hasSuffix(".mid") }.sorted()
      .map(root.appendingPathComponent)
  }
}
