// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc

/// A program that plays sounds independently of this process, usually `downbeat sound play`.
public struct DetachedProgram: Hashable, Sendable {
  /// The program and its first arguments, to which `--gain`, `--pan` and the path of the file are
  /// appended.
  public var words: [String]

  /// Creates the description of a program.
  ///
  /// - Parameter words: The program, as a path or a name in `PATH`, and its first arguments.
  /// - Precondition: `words` is not empty.
  public init(_ words: [String]) {
    precondition(!words.isEmpty, "the command must not be empty")
    self.words = words
  }
}

/// A sound that another process plays, in a separate session, so that signals to this process, its
/// group or its terminal do not stop it.
struct DetachedClip: Sendable {
  let completion: SoundBoard.Completion?
  private let process: pid_t

  /// `POSIX_SPAWN_SETSID`, which Swift's Glibc does not include.
  private static let ownSession: Int16 = 0x80

  init(
    _ path: String, _ program: DetachedProgram, gain: Float, pan: Float,
    _ completion: SoundBoard.Completion?
  ) throws(ClipError) {
    self.completion = completion
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe posix_spawnattr_setflags(&attributes, Self.ownSession | Int16(POSIX_SPAWN_SETSIGMASK))
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for descriptor in Int32(0)..<3 {
      unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    let line = program.words + ["--gain=\(gain * 100)%", "--pan=\(pan)", "--", path]
    var words = unsafe line.map { $0.withSystemPath { unsafe strdup($0) } } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var process = pid_t()
    let code = program.words[0].withSystemPath {
      unsafe posix_spawnp(&process, $0, &actions, &attributes, &words, environ)
    }
    guard code == 0 else { throw .cannotDetach(command: program.words[0], code: code) }
    self.process = process
  }

  /// The reason for which it ended, or nil while it plays.
  var end: ClipEnd.Reason? {
    var status: Int32 = 0
    let found = unsafe waitpid(process, &status, WNOHANG)
    guard found != 0 else { return nil }
    return found == process && status == 0 ? .finished : .failed
  }
}
