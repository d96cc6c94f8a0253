// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Testing

/// A real Linux kernel with ALSA in an emulator, for machines without a sound device.
///
/// Everything is in its memory: the command, the witness, the soundfont and ALSA's tools. Its time
/// is counted in instructions, so the load of the host does not affect it. Its CPU is about 10
/// times slower: compare two programs within one run, never a time with one of the host.
public struct ALSAMachine: Sendable {
  /// True if the emulator is installed (`make test` installs it).
  public static let isAvailable =
    FileManager.default.isExecutableFile(atPath: "/usr/bin/qemu-system-x86_64")

  /// The reason for which tests that need the machine are skipped.
  public static let reason: Comment = "qemu-system-x86 is not installed"

  /// The witness, which prints the time at which the kernel delivered each event.
  public static let capture = ToolRun.program("StampCapture")

  private static let soundFont = ToolRun.packageFolder
    .appendingPathComponent("Soundfonts/Downbeat.sf2").path

  /// The output of the script.
  public let output: String
  /// The standard error of the script and the machine.
  public let errors: String
  /// The script's exit status; 124 after a time-out, 125 if the machine did not start.
  public let status: Int32
  /// The files that the script wrote to `$VM_OUT`, by name.
  public let files: [String: Data]

  /// Boots the machine, runs a Bash script in the package's folder, and shuts down.
  ///
  /// - Parameters:
  ///   - script: The script. `$DOWNBEAT` is the command under test, `$VM_OUT` a folder for output
  ///     files, and `await COMMAND` waits until a command succeeds.
  ///   - timeout: The seconds after which the machine is stopped, on an idle host; four times as
  ///     long on a busy one.
  ///   - inputs: Files that are put in the folder `$INPUTS` before the start.
  ///   - programs: The paths of other programs to include.
  /// - Throws: An error if the files cannot be written, or the emulator cannot be started.
  public init(
    running script: String, timeout: Int = 240, inputs: [String: Data] = [:],
    brought programs: [String] = []
  ) throws {
    let scratch = try ScratchFolder()
    for (name, content) in inputs {
      try content.write(to: scratch.url.appendingPathComponent(name))
    }
    let prologue = Self.prologue(inputs: scratch.url.path)
    let timeout = 4 * timeout
    let brought =
      [ToolRun.command, Self.capture, Self.soundFont, scratch.url.path] + programs
    let run = try ToolRun(
      ["--timeout", "\(timeout)"] + brought.flatMap { ["--bring", $0] }
        + ["--", "bash", "-c", prologue + script],
      // All tests share the image and the snapshot of the machine.
      environment: ["XDG_CACHE_HOME": ProcessInfo.processInfo.environment["XDG_CACHE_HOME"]],
      command: ToolRun.packageFolder.appendingPathComponent("Tests/alsa-vm/alsa-vm").path,
      limit: timeout + 120)
    output = run.text
    errors = run.errors
    status = run.status
    files = try Self.collect(from: run.errors)
  }

  /// The start of every script.
  ///
  /// `await` waits for a condition, because a fixed sleep could be too short on a slow machine.
  /// Waiting is free for the host, but each check starts a process, which takes a tenth of a second
  /// or more, so checks become less frequent.
  private static func prologue(inputs: String) -> String {
    """
    export DOWNBEAT=\(ToolRun.command) INPUTS=\(inputs)
    await() {
      for pause in 0.1{,,,,,,,,,} 0.5{,,,,,,,,,}{,,,,,}; do "$@" && return; sleep $pause; done
      echo "no: $*" >&2
    }

    """
  }

  private static func collect(from errors: String) throws -> [String: Data] {
    let mark = "alsa-vm: files left in "
    guard let line = errors.split(separator: "\n").last(where: { $0.hasPrefix(mark) }) else {
      return [:]
    }
    let folder = URL(fileURLWithPath: String(line.dropFirst(mark.count)))
    defer {
      do { try FileManager.default.removeItem(at: folder) } catch { print("\(error)") }
    }
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      files[name] = try Data(contentsOf: folder.appendingPathComponent(name))
    }
    return files
  }
}
