// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
internal import WholeFiles

/// Runs a program: bytes as its input, lines as its output, and its exit status.
///
/// Standard input and standard error are unnamed files, so only one pipe remains and a deadlock is
/// impossible: the parent only reads, until the deadline.
struct ChildProcess: ~Copyable {
  private let program: String
  private let output: Int32
  private let complaints: Int32
  private let identifier: pid_t
  private var isReaped = false

  /// The way a program ended.
  enum End: Equatable {
    case exited(Int32)
    case killed(signal: Int32)
    case timedOut
  }

  private init(_ program: String, output: Int32, complaints: Int32, identifier: pid_t) {
    self.program = program
    self.output = output
    self.complaints = complaints
    self.identifier = identifier
  }

  /// Starts a program with bytes as its standard input.
  static func start(_ program: String, input: [UInt8]) throws(InteropError) -> ChildProcess {
    let inputFile = try namelessFile(holding: input, for: program)
    defer { close(inputFile) }
    let complaints = try namelessFile(holding: [], for: program)
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else {
      close(complaints)
      throw failure(program, errno)
    }
    for end in ends { closeInChildren(end) }
    defer { close(ends[1]) }
    do {
      let identifier = try spawn(program, streams: [inputFile, ends[1], complaints])
      return ChildProcess(
        program, output: ends[0], complaints: complaints, identifier: identifier)
    } catch {
      close(complaints)
      close(ends[0])
      throw error
    }
  }

  deinit {
    if !isReaped {
      kill(identifier, SIGKILL)
      var status: Int32 = 0
      unsafe waitpid(identifier, &status, 0)
    }
    close(output)
    close(complaints)
  }

  private static func failure(_ program: String, _ code: Int32) -> InteropError {
    .cannotRun(program: program, reason: unsafe String(cString: strerror(code)))
  }

  /// An unnamed file with the given content.
  private static func namelessFile(
    holding bytes: [UInt8], for program: String
  ) throws(InteropError) -> Int32 {
    let file: Int32
    do throws(PrivateFolder.Refusal) {
      file = try PrivateFolder.unnamedFile()
    } catch {
      throw failure(program, error.code)
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        let code = errno
        close(file)
        throw failure(program, code)
      }
      rest = rest.dropFirst(count)
    }
    lseek(file, 0, SEEK_SET)
    return file
  }

  private static func closeInChildren(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  private static func spawn(
    _ program: String, streams: [Int32]
  ) throws(InteropError) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for number in streams.indices {
      unsafe posix_spawn_file_actions_adddup2(&actions, streams[number], Int32(number))
    }
    let arguments = CStringArray([program])
    let environment = CStringArray(quietEnvironment)
    var identifier: pid_t = 0
    let code = program.withSystemPath {
      unsafe posix_spawn(&identifier, $0, &actions, nil, arguments.pointers, environment.pointers)
    }
    guard code == 0 else { throw failure(program, code) }
    return identifier
  }

  /// The environment without backtraces, because an abort of the program is expected.
  private static var quietEnvironment: [String] {
    var variables = ["SWIFT_BACKTRACE=enable=no"]
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      let line = unsafe FileName.text(cString: text)
      if !line.hasPrefix("SWIFT_BACKTRACE=") { variables.append(line) }
      unsafe entry += 1
    }
    return variables
  }
}

extension ChildProcess {
  /// Calls a closure with each line of the program's output, and waits for its end.
  ///
  /// - Parameters:
  ///   - seconds: The time limit, after which the program is killed.
  ///   - take: Receives each line without its line feed.
  /// - Returns: The way the program ended.
  /// - Throws: An error if the output cannot be read.
  mutating func run(seconds: Int, take: (ArraySlice<UInt8>) -> Void) throws(InteropError) -> End {
    let deadline = Self.now + Int64(seconds) * 1000
    var held: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      guard try waitForOutput(until: deadline) else { return stop() }
      let count = unsafe chunk.withUnsafeMutableBytes {
        unsafe read(output, $0.baseAddress, $0.count)
      }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw Self.failure(program, errno) }
      guard count > 0 else { break }
      held.append(contentsOf: chunk[..<count])
      var rest = held[...]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        take(rest[rest.startIndex..<end])
        rest = rest[(end + 1)...]
      }
      held = Array(rest)
    }
    return reap()
  }

  /// The first line of the program's standard error.
  var complaint: String {
    var text = [UInt8](repeating: 0, count: 4096)
    let count = unsafe text.withUnsafeMutableBytes {
      unsafe pread(complaints, $0.baseAddress, $0.count, 0)
    }
    let lines = text[..<max(count, 0)].split(separator: UInt8(ascii: "\n"))
    return lines.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  private func waitForOutput(until deadline: Int64) throws(InteropError) -> Bool {
    while true {
      let left = deadline - Self.now
      guard left > 0 else { return false }
      var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      let count = unsafe poll(&descriptor, 1, Int32(clamping: left))
      if count > 0 { return true }
      if count < 0 && errno != EINTR { throw Self.failure(program, errno) }
    }
  }

  private mutating func stop() -> End {
    kill(identifier, SIGKILL)
    _ = reap()
    return .timedOut
  }

  private mutating func reap() -> End {
    var status: Int32 = 0
    while unsafe waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    isReaped = true
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
  }
}

/// An array of C strings.
@safe private final class CStringArray {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ texts: [String]) {
    count = texts.count
    unsafe pointers = .allocate(capacity: count + 1)
    for (index, text) in texts.enumerated() {
      unsafe pointers[index] = text.withSystemPath { unsafe strdup($0) }
    }
    unsafe pointers[count] = nil
  }

  deinit {
    for index in 0..<count { unsafe free(pointers[index]) }
    unsafe pointers.deallocate()
  }
}
