// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import Downbeat
internal import TOMLText
internal import WholeFiles

/// The user's own configuration file, in which single settings are changed.
///
/// Another process that wants to change a setting waits until this value is released.
struct OwnSettings {
  let path: String
  let text: SettingText
  private let lock: FolderLock?

  /// Reads the file.
  ///
  /// A missing file is empty.
  ///
  /// - Throws: `Failure` with exit status 78 if the file cannot be read or is not valid TOML.
  init() throws(Failure) {
    path = try ConfigReport.ownPath()
    PrivateFolder.make(above: path)
    lock = FolderLock(above: path)
    do {
      let exists = FolderListing.isThere(path)
      let limit = Configuration.limit
      let bytes = exists ? try InputFile(startOf: path, limit: limit + 1).bytes : []
      // A file that was read only in part must not replace the whole file.
      guard bytes.count <= limit else { throw FileError.tooLarge(path, limit: limit) }
      text = try SettingText(bytes)
    } catch let error as TOMLError {
      throw Failure(.configuration, "\(path): \(error) (fix it with downbeat config edit)")
    } catch {
      throw Failure(.configuration, "\(error)")
    }
  }

  /// Replaces the file.
  ///
  /// - Parameter text: The new text.
  /// - Throws: `OutputFileError` if the file cannot be written.
  func write(_ text: SettingText) throws {
    try OutputFile(path: path, overwrite: true).write(text.bytes)
  }

  /// Returns the error for a setting in a list, an inline table or a dotted name, which cannot be
  /// changed.
  ///
  /// - Parameter key: The setting.
  /// - Returns: The failure, which includes the line.
  func refusal(of key: SettingKey) -> Failure {
    let line = text.line(of: key).map { ": line \($0)" } ?? ""
    return Failure(
      .configuration,
      "\(path)\(line): \(key.text): cannot be changed here (use downbeat config edit)")
  }
}
