// SPDX-License-Identifier: Apache-2.0
internal import CLilv
internal import FileNames
internal import Glibc

/// A process that tests plug-ins and may crash; its output is read line by line.
package enum TrialProcess {
  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - command: the program's path and arguments; its standard error is discarded.
  ///   - secondsOfSilence: seconds without a line after which the program is killed; evaluated
  ///     again after each read.
  ///   - take: receives each line.
  /// - Returns: the way that the program ended; nil if it succeeded.
  /// - Throws: `LV2Error.cannotTry`.
  package static func run(
    _ command: [String], secondsOfSilence: @autoclosure () -> Int, take: (String) -> Void
  ) throws(LV2Error) -> String? {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw failure(command, errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let identifier = try start(command, output: ends[1])
    let silence = read(ends[0], secondsOfSilence, take)
    if silence != nil { kill(identifier, SIGKILL) }
    var status: Int32 = 0
    while unsafe waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    if let silence { return "no answer for \(silence) s" }
    let signal = status & 0x7F
    if signal != 0 { return unsafe "\(String(cString: strsignal(signal)))" }
    switch status >> 8 & 0xFF {
    case 0: return nil
    case LV2LastWords.exitStatus: return ownEnd
    case let status: return "status \(status)"
    }
  }

  /// The result if a plug-in ended the process by `exit`.
  package static let ownEnd = "it ended the program"

  /// Makes this testing process end when its parent does, so that a plug-in that hangs does not
  /// keep it running.
  package static func endWithParent() { clilv_end_with_parent() }

  private static func failure(_ command: [String], _ code: Int32) -> LV2Error {
    .cannotTry(command: command.first ?? "", reason: unsafe String(cString: strerror(code)))
  }

  /// Starts the program without input, and closes the caller's copy of the pipe's write end.
  private static func start(_ command: [String], output: Int32) throws(LV2Error) -> pid_t {
    defer { close(output) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var words: [UnsafeMutablePointer<CChar>?] = unsafe []
    for word in command { unsafe words.append(word.withSystemPath { unsafe strdup($0) }) }
    unsafe words.append(nil)
    var identifier = pid_t()
    let code = (command.first ?? "").withSystemPath {
      unsafe posix_spawnp(&identifier, $0, &actions, nil, words, environ)
    }
    while let word = unsafe words.popLast() { unsafe free(word) }
    guard code == 0 else { throw failure(command, code) }
    return identifier
  }

  /// Reads lines until the end of the output (nil), or until no data arrived for the returned
  /// number of seconds.
  private static func read(
    _ file: Int32, _ patience: () -> Int, _ take: (String) -> Void
  ) -> Int? {
    var held: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let seconds = patience()
      var descriptor = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      let ready = unsafe poll(&descriptor, 1, Int32(clamping: seconds * 1000))
      if ready < 0 && errno == EINTR { continue }
      guard ready > 0 else { return seconds }
      let count = unsafe Glibc.read(file, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return nil }
      held += chunk[..<count]
      while let end = held.firstIndex(of: UInt8(ascii: "\n")) {
        take(String(decoding: held[..<end], as: UTF8.self))
        held.removeSubrange(...end)
      }
    }
  }
}
