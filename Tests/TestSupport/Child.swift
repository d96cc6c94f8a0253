// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A process that is started with `posix_spawn`, because Foundation's `Process` can wait forever
/// for a child that has ended if several tests run at once.
struct Child {
  /// The reason why a child did not return a result.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let identifier: pid_t
  private let command: String

  init(
    _ command: String, _ arguments: [String], variables: [String: String], streams: [String],
    folder: String, leadsSession: Bool = false
  ) throws {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, stream) in streams.enumerated() {
      let mode = leadsSession ? O_RDWR : descriptor == 0 ? O_RDONLY : O_WRONLY
      unsafe posix_spawn_file_actions_addopen(&actions, Int32(descriptor), stream, mode, 0)
    }
    // `env -C` changes the folder and becomes the command, so the identifier stays the same.
    let line = ["env", "-C", folder, command] + arguments
    var words = unsafe line.map { unsafe strdup($0) } + [nil]
    var pairs = unsafe variables.map { unsafe strdup("\($0)=\($1)") } + [nil]
    defer { unsafe (words + pairs).forEach { unsafe free($0) } }
    var identifier = pid_t()
    // A test's thread can block signals that the child needs, and the process that started the
    // tests can ignore some.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    var usual = sigset_t()
    unsafe sigemptyset(&usual)
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXFSZ] {
      unsafe sigaddset(&usual, signal)
    }
    unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
    var flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    // `POSIX_SPAWN_SETSID`, which Swift does not import.
    if leadsSession { flags |= 0x80 }
    unsafe posix_spawnattr_setflags(&attributes, flags)
    let code = unsafe posix_spawn(
      &identifier, "/usr/bin/env", &actions, &attributes, &words, &pairs)
    guard code == 0 else {
      throw Failure(description: "\(command): \(unsafe String(cString: strerror(code)))")
    }
    self.identifier = identifier
    self.command = command
  }

  /// Waits for the end; kills the child and its descendants after a number of seconds.
  func wait(seconds: Int) throws -> (status: Int32, wasSignalled: Bool) {
    for _ in 0..<seconds * 200 {
      var status: Int32 = 0
      if unsafe waitpid(identifier, &status, WNOHANG) == identifier {
        let signal = status & 0x7F
        return signal == 0 ? ((status >> 8) & 0xFF, false) : (signal, true)
      }
      usleep(5_000)
    }
    let family = Self.family(of: identifier)
    let words = family.map(Self.words).joined(separator: "; ")
    for process in family { kill(process, SIGKILL) }
    var status: Int32 = 0
    unsafe waitpid(identifier, &status, 0)
    throw Failure(
      description: "\(command): did not end within \(seconds) s and was killed, with \(words)")
  }

  /// The arguments of a process, as far as they identify it.
  private static func words(of process: pid_t) -> String {
    do {
      let line = String(
        decoding: try FileContent.data("/proc/\(process)/cmdline").prefix(200), as: UTF8.self)
      return "\(process) \(line.replacing("\0", with: " "))"
    } catch {
      return "\(process), which has ended"
    }
  }

  /// A process and all its descendants.
  private static func family(of process: pid_t) -> [pid_t] {
    let path = "/proc/\(process)/task/\(process)/children"
    do {
      let text = String(decoding: try FileContent.data(path), as: UTF8.self)
      return [process] + text.split(separator: " ").compactMap { pid_t($0) }.flatMap(family)
    } catch {
      // The process has ended, and its children are gone.
      return [process]
    }
  }
}
