// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// This program once more, as a process that may crash, read line by line.
enum ChildTrial {
  /// Runs it to its end; what it complains of goes nowhere.
  ///
  /// - Parameters:
  ///   - words: its arguments.
  ///   - patience: after how long without a line it is killed, in milliseconds.
  ///   - take: is given each line.
  /// - Returns: how it ended, where not as it should.
  /// - Throws: `Failure` where it cannot be started.
  static func run(
    _ words: [String], patience: Int32, take: (String) -> Void
  ) throws(Failure) -> String? {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw failure(errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let identifier = try start([Environment.executable] + words, output: ends[1])
    let isSilent = !read(ends[0], patience, take)
    if isSilent { kill(identifier, SIGKILL) }
    var status: Int32 = 0
    while unsafe waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    if isSilent { return "no answer for \(patience / 1000) s" }
    let signal = status & 0x7F
    if signal != 0 { return unsafe String(cString: strsignal(signal)) }
    return status >> 8 == 0 ? nil : "status \(status >> 8 & 0xFF)"
  }

  private static func failure(_ code: Int32) -> Failure {
    Failure(.failure, "a process to try plug-ins in: \(unsafe String(cString: strerror(code)))")
  }

  /// Starts it with nothing to read, and closes the end of the pipe that is its own.
  private static func start(_ command: [String], output: Int32) throws(Failure) -> pid_t {
    defer { close(output) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var words: [UnsafeMutablePointer<CChar>?] = unsafe command.map { unsafe strdup($0) }
    unsafe words.append(nil)
    var identifier = pid_t()
    let code = unsafe posix_spawn(&identifier, command[0], &actions, nil, words, environ)
    while let word = unsafe words.popLast() { unsafe free(word) }
    guard code == 0 else { throw failure(code) }
    return identifier
  }

  /// Reads lines until there are no more; false where there is silence for too long.
  private static func read(_ file: Int32, _ patience: Int32, _ take: (String) -> Void) -> Bool {
    var held: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      var descriptor = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      let ready = unsafe poll(&descriptor, 1, patience)
      if ready < 0 && errno == EINTR { continue }
      guard ready > 0 else { return false }
      let count = unsafe Glibc.read(file, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return true }
      held += chunk[..<count]
      while let end = held.firstIndex(of: UInt8(ascii: "\n")) {
        take(String(decoding: held[..<end], as: UTF8.self))
        held.removeSubrange(...end)
      }
    }
  }
}
