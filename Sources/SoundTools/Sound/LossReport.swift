// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles

/// The report on tags, markers and the like that a file format does not store.
enum LossReport {
  /// One line for a person.
  ///
  /// - Parameters:
  ///   - losses: what is lost.
  ///   - format: the format of the new file.
  ///   - output: the name of the new file.
  /// - Returns: the line; nil if nothing is lost.
  static func line(
    _ losses: [SoundFileMetadata.Loss], _ format: SoundFileFormat, _ output: String
  ) -> String? {
    guard !losses.isEmpty else { return nil }
    let list = losses.map { "\($0)" }.joined(separator: ", ")
    let name = format.container.suffixes[0]
    return "\(output): not copied, because .\(name) files do not store it: \(list)"
  }
}
