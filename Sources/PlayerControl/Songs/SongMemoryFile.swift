// SPDX-License-Identifier: Apache-2.0
internal import Downbeat
internal import Glibc
internal import JSONText
internal import WholeFiles

/// Where `SongMemory` lies between runs: `downbeat/play.json` in `$XDG_STATE_HOME`
/// (`~/.local/state`), open to nobody else, replaced whole.
package struct SongMemoryFile {
  private static let limit = 1 << 22
  private let file: PrivateFile

  /// The file that variables name; nil where they name none.
  package init?(environment: [String: String]) {
    guard let base = PrivateFile.base("XDG_STATE_HOME", ".local/state", environment) else {
      return nil
    }
    file = PrivateFile("play.json", in: base, limit: Self.limit)
  }

  /// What is remembered; nothing where it is not there, or damaged.
  package func read() -> SongMemory {
    guard let bytes = file.read() else { return SongMemory() }
    do {
      return SongMemory(try JSONReader.read(bytes))
    } catch {
      return SongMemory()
    }
  }

  /// Changes what is remembered; players that do so at once do it in turn.
  ///
  /// - Parameter body: makes the change; it may be called twice, and once where nothing changes.
  /// - Throws: `ControlError` where it cannot be written.
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
