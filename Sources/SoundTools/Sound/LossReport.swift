// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles

/// The report on tags, markers and other data that a file format does not store.
enum LossReport {
  /// Returns the report as one line.
  ///
  /// - Parameters:
  ///   - losses: The data that are lost.
  ///   - format: The format of the new file.
  ///   - output: The name of the new file.
  /// - Returns: The line; nil if nothing is lost.
  static func line(
    _ losses: [SoundFileMetadata.Loss], _ format: SoundFileFormat, _ output: String
  ) -> String? {
    guard !losses.isEmpty else { return nil }
    let list = losses.map { "\($0)" }.joined(separator: ", ")
    let name = format.container.suffixes[0]
    return "\(output): not copied, because .\(name) files do not store it: \(list)"
  }
}
