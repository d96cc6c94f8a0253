// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Testing

/// A real Linux kernel with ALSA in an emulator, for a machine that has no sound device.
///
/// All that it has is in its memory: the command, the witness, the soundfont and ALSA's tools. Its
/// time is counted in instructions, so that what else this machine does moves nothing in there; its
/// CPU is some 10 times slower: compare two programs inside one run, never a time with the host's.
public struct ALSAMachine: Sendable {
  /// Whether the emulator is installed; `make test` installs it.
  public static let isAvailable =
    FileManager.default.isExecutableFile(atPath: "/usr/bin/qemu-system-x86_64")

  /// Why a test that needs the machine is skipped.
  public static let reason: Comment = "qemu-system-x86 is not installed"

  /// The witness that prints when the kernel had each event.
  public static let capture = ToolRun.program("StampCapture")

  private static let soundFont = ToolRun.packageFolder
    .appendingPathComponent("Soundfonts/Downbeat.sf2").path

  /// What the script printed.
  public let output: String
  /// What the script and the machine said on standard error.
  public let errors: String
  /// The script's exit status; 124 on time-out, 125 where the machine did not start.
  public let status: Int32
  /// The files that the script left in `$VM_OUT`, by name.
  public let files: [String: Data]

  /// Boots the machine, runs a Bash script in the package's folder, and shuts down.
  ///
  /// - Parameters:
  ///   - script: the script; `$DOWNBEAT` is the command that is tested, `$VM_OUT` a folder to leave
  ///     files in; `await COMMAND` waits until a command succeeds.
  ///   - timeout: seconds after which the machine is stopped, where nothing else is going on; on a
  ///     busy host it has four times as long.
  ///   - inputs: files put in the folder `$INPUTS` before the start.
  ///   - programs: paths of programs that are there as well.
  /// - Throws: where the files cannot be written or the emulator not be started.
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
      // The image and the snapshot of the machine are kept for all tests.
      environment: ["XDG_CACHE_HOME": ProcessInfo.processInfo.environment["XDG_CACHE_HOME"]],
      command: ToolRun.packageFolder.appendingPathComponent("Tests/alsa-vm/alsa-vm").path,
      limit: timeout + 120)
    output = run.text
    errors = run.errors
    status = run.status
    files = try Self.collect(from: run.errors)
  }

  /// What every script begins with.
  ///
  /// `await` sees what a script waits for, where a sleep would be too short on a slow machine.
  /// Waiting costs the host nothing, but a look, which starts a process or more, a tenth of a
  /// second and more: it looks less often after a while.
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
