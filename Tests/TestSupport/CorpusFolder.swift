// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Testing

/// The folder of real MIDI files, which are read in place.
///
/// They are the work of others, so they are not part of the project.
public enum CorpusFolder {
  /// The folder: `DOWNBEAT_CORPUS`, or a folder next to the checkout.
  public static let url = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["DOWNBEAT_CORPUS"]
      ?? ToolRun.packageFolder.appendingPathComponent("../shared/corpus").path)

  /// True if the folder exists.
  public static let isThere = FileManager.default.fileExists(atPath: url.path)

  /// The reason for which tests that need it are skipped.
  public static let reason: Comment = "no corpus of MIDI files (set DOWNBEAT_CORPUS)"

  /// Returns the MIDI files of a folder in it and of its subfolders, sorted by path.
  ///
  /// - Throws: An error if the folder cannot be read.
  public static func midiFiles(under folder: String) throws -> [URL] {
    let root = url.appendingPathComponent(folder)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    return paths.filter { $0.lowercased().hasSuffix(".mid") }.sorted()
      .map(root.appendingPathComponent)
  }
}
