// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import AudioFiles
internal import FileNames
internal import Glibc
package import PlayerControl
internal import WholeFiles

/// The names of output files: the name of one file, or a name for each input in a folder.
package struct BatchOutputs {
  /// The options that determine the names.
  package struct Wish {
    /// The values of `-o` and `--output-dir`; one of the two is set.
    package let output: String?
    package let outputDir: String?
    /// The suffix of names in a folder, with the dot.
    package let suffix: String
    /// True if the output for one input is itself a folder.
    package var isFolder = false

    /// Creates the options.
    package init(output: String?, outputDir: String?, suffix: String, isFolder: Bool = false) {
      self.output = output
      self.outputDir = outputDir
      self.suffix = suffix
      self.isFolder = isFolder
    }
  }

  /// The names, in the order of the inputs.
  private let paths: [String]
  /// The folders that were created, outer folders first.
  private let made: [String]

  /// Checks that exactly one of `-o` and `--output-dir` is given.
  ///
  /// - Parameters:
  ///   - output: The value of `-o`.
  ///   - folder: The value of `--output-dir`.
  ///   - inputs: The inputs; the last may have been meant as the output.
  ///   - kind: The kind of the inputs.
  /// - Throws: `ValidationError` if both or neither are given, or one file cannot hold the inputs.
  package static func check(
    _ output: String?, folder: String?, inputs: [String], of kind: ListedFiles
  ) throws {
    guard output == nil || folder == nil else {
      throw ValidationError("-o and --output-dir both name the output (leave one out)")
    }
    if output == nil, folder == nil, inputs.count > 1, let last = inputs.last,
      soundFileName(last) != nil, kind == .songs || !FolderListing.isThere(last)
    {
      throw ValidationError(
        "\(last): is read as another \(kind.noun.one), not as the output (try -o \(last))")
    }
    guard output != nil || folder != nil else {
      throw ValidationError("the output is missing (add -o OUT.wav, or --output-dir FOLDER)")
    }
    if let output { try check(output, isFor: inputs, of: kind) }
  }

  /// Refuses several inputs for one output file, before anything is written.
  private static func check(
    _ output: String, isFor inputs: [String], of kind: ListedFiles
  ) throws {
    let name = soundFileName(output)
    guard inputs.count > 1, output == "-" || name != nil, !FolderListing.isFolder(output) else {
      return
    }
    let missing = inputs.first {
      $0 != "-" && FileAddress.scheme(of: $0) == nil && !FolderListing.isThere($0)
    }
    let shown = output == "-" ? "standard output" : output
    if let missing {
      throw ValidationError(
        "\(missing): no such file, and \(shown) can hold only one \(kind.noun.one)"
          + " (leave out \(missing), or use --output-dir FOLDER)")
    }
    guard let name, !FolderListing.isThere(output) else { return }
    throw ValidationError(
      "\(output): cannot hold \(inputs.count) \(kind.noun.several) (try --output-dir \(name))")
  }

  /// Determines the names, and creates the folders.
  ///
  /// - Parameters:
  ///   - wish: The options.
  ///   - entries: The inputs.
  ///   - kind: The kind of the inputs.
  /// - Throws: `Failure` if two outputs would have the same name, or a folder cannot be created.
  package init(_ wish: Wish, _ entries: [SongEntry], of kind: ListedFiles) throws(Failure) {
    let output = wish.outputDir ?? wish.output ?? ""
    let isFolder = output != "-" && FolderListing.isFolder(output)
    if wish.outputDir == nil, !wish.isFolder, !isFolder, output.hasSuffix("/"), entries.count == 1 {
      throw Failure(
        .usage, "\(output): not a folder (try --output-dir \(output.dropLast()))")
    }
    guard wish.outputDir != nil || entries.count > 1 || isFolder && !wish.isFolder else {
      (paths, made) = ([output], [])
      return
    }
    guard isFolder || !FolderListing.isThere(output) else {
      throw Failure(
        .noOutput, "\(output): is not a folder, but several \(kind.noun.several) need one")
    }
    if wish.outputDir == nil, !isFolder, !wish.isFolder, let name = Self.soundFileName(output) {
      throw Failure(
        .usage,
        "\(output): cannot hold \(entries.count) \(kind.noun.several) (try --output-dir"
          + " \(name))")
    }
    let names = entries.map { $0.folders + Self.name($0.path, of: kind) }
    // Names are compared by their bytes: names that only look alike are different.
    var seen: Set<[UInt8]> = []
    if let twice = names.first(where: { !seen.insert(FileName.bytes(of: $0)).inserted }) {
      throw Failure(
        .usage, "\(twice): two \(kind.noun.several) would get this name in \(output)")
    }
    paths = names.map { FolderListing.path(output, $0 + wish.suffix) }
    made = try Self.makeFolders(output, entries)
  }

  /// Returns the path without its suffix if it has the suffix of a sound file; otherwise nil.
  package static func soundFileName(_ path: String) -> Substring? {
    guard let point = path.lastIndex(of: ".") else { return nil }
    let suffix = path[path.index(after: point)...].lowercased()
    let isSound = SoundFileFormat.Container.allCases.contains { $0.suffixes.contains(suffix) }
    return isSound ? path[..<point] : nil
  }

  /// Checks that the folder of stems does not have the name of a sound file.
  ///
  /// - Parameters:
  ///   - folder: The name of the folder.
  ///   - format: The format that was chosen; nil for the default, WAV.
  /// - Throws: `ValidationError` if it has the suffix of a sound file.
  package static func check(
    stemFolder folder: String, format: SoundFileFormat.Container?
  ) throws {
    guard let name = soundFileName(folder), !name.isEmpty else { return }
    let suffix = folder[folder.index(after: name.endIndex)...].lowercased()
    let isUsual = SoundFileFormat.Container.wav.suffixes.contains(suffix) || format != nil
    let choice = isUsual ? "" : " --format \(suffix)"
    throw ValidationError(
      "\(folder): is the name of a sound file, but --stems writes a folder (try -o \(name)\(choice) or"
        + " --output-dir \(name)\(choice))")
  }

  /// The name of the output for an input, by the index of the input.
  package func path(at index: Int) -> String { paths[index] }

  /// Removes the created folders that are empty.
  package func cleanUp() {
    // A folder that is not empty is kept.
    Self.remove(made)
  }

  /// Creates the output folder and its subfolders; returns those that did not exist.
  private static func makeFolders(
    _ output: String, _ entries: [SongEntry]
  ) throws(Failure) -> [String] {
    var made: [String] = []
    for folder in wantedFolders(output, entries) {
      guard folder.withSystemPath({ unsafe mkdir($0, 0o777) }) != 0 else {
        made.append(folder)
        continue
      }
      let code = errno
      if !FolderListing.isFolder(folder) {
        let reason = systemMessage(code)
        Self.remove(made)
        throw Failure(.noOutput, "\(folder): \(reason)")
      }
    }
    return made
  }

  /// The output folder and its subfolders, outer folders first.
  private static func wantedFolders(_ output: String, _ entries: [SongEntry]) -> [String] {
    // Names are compared by their bytes: names that only look alike are different.
    var wanted: Set = [FileName.bytes(of: output)]
    for folders in Set(entries.map { FileName.bytes(of: $0.folders) }) {
      for slash in folders.indices where folders[slash] == UInt8(ascii: "/") {
        let folder = FolderListing.path(output, FileName.text(of: folders[..<slash]))
        wanted.insert(FileName.bytes(of: folder))
      }
    }
    return wanted.sorted { $0.lexicographicallyPrecedes($1) }.map { FileName.text(of: $0) }
  }

  private static func remove(_ made: [String]) {
    for folder in made.reversed() { folder.withSystemPath { unsafe _ = rmdir($0) } }
  }

  /// The name of a file without folder and suffix.
  private static func name(_ path: String, of kind: ListedFiles) -> String {
    guard path != "-" else { return kind.noun.one }
    let last = path.split(separator: "/").last.map(String.init) ?? kind.noun.one
    guard let dot = last.lastIndex(of: "."), dot > last.startIndex else { return last }
    return String(last[..<dot])
  }
}
