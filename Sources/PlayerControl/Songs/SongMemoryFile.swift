// SPDX-License-Identifier: Apache-2.0
internal import Downbeat
internal import Glibc
internal import JSONText
internal import WholeFiles

/// The file that stores a `SongMemory`: `downbeat/play.json` in `$XDG_STATE_HOME` (default
/// `~/.local/state`).
///
/// Only this user may open it. It is always replaced as a whole.
package struct SongMemoryFile {
  private static let limit = 1 << 22
  private let file: PrivateFile

  /// Creates the file that the environment selects; nil if it selects none.
  package init?(environment: [String: String]) {
    guard let base = PrivateFile.base("XDG_STATE_HOME", ".local/state", environment) else {
      return nil
    }
    file = PrivateFile("play.json", in: base, limit: Self.limit)
  }

  /// Reads the file; empty if it is missing or damaged.
  package func read() -> SongMemory {
    guard let bytes = file.read() else { return SongMemory() }
    do {
      return SongMemory(try JSONReader.read(bytes))
    } catch {
      return SongMemory()
    }
  }

  /// Changes the stored state; players that do so at the same time wait for each other.
  ///
  /// - Parameter body: Makes the change. It is called a second time, with the file locked, if it
  ///   changes anything.
  /// - Throws: `ControlError.Kind.noOutput` if the file cannot be written.
  package func edit(_ body: (inout SongMemory) -> Void) throws(ControlError) {
    let before = read()
    var after = before
    body(&after)
    guard after != before else { return }
    try file.alone { () throws(ControlError) in
      var memory = read()
      body(&memory)
      try write(memory)
    }
  }

  private func write(_ memory: SongMemory) throws(ControlError) {
    do throws(WholeFileError) {
      try file.write(Array("\(memory.document)\n".utf8))
    } catch {
      let code = if case .refused(let code) = error { code } else { EEXIST }
      let reason = systemMessage(code)
      throw ControlError(
        .noOutput, "\(file.path): cannot be written, settings are not saved: \(reason)")
    }
  }
}
