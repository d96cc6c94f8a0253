// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import Downbeat
internal import WholeFiles

/// The computer that `doctor` examines: its files, and values that only the process can find.
///
/// A test creates one from a folder with copies of system files.
struct Machine: Sendable {
  /// The limits of the process.
  struct Limits {
    /// True if a thread gets real-time priority on request.
    var grantsPriority = true
    /// The longest time in microseconds that a real-time thread may compute without a pause; nil
    /// without a limit.
    var runTime: UInt64?
    /// The number of bytes of memory that can be locked; nil without a limit.
    var lockedMemory: UInt64?
  }

  /// The result of opening the default device for a moment.
  enum DeviceTrial {
    case opens
    case refused(DeviceError)
    /// The device did not answer within two seconds.
    case silent
  }

  /// The server that `--audio auto` uses.
  struct AutomaticServer {
    /// The name of the server; nil for none.
    var name: String?
    /// A sentence for the user: the reason for this choice.
    var reason = ""
    /// True if a server runs, but its client library is not installed.
    var isLibraryMissing = false
  }

  /// The prefix of the paths of system files; empty except in tests.
  var root = ""
  var environment: [String: String] = [:]
  var userID: UInt32 = 0
  /// The numbers of the groups of the process.
  var groups: Set<UInt32> = []
  var limits = Limits()
  /// The columns of the terminal; nil if the output is not a terminal.
  var columns: Int?
  /// All libraries with their versions; nil for a missing library.
  var libraries: [(name: String, version: String?)] = []
  /// The version of an installed FFmpeg that is not supported; nil otherwise.
  var unsupportedFFmpeg: String?
  /// The codecs that the installed FFmpeg lacks.
  var missingCodecs: [String] = []
  var soundFonts: SoundFontDiscovery
  /// The route of the default device, as in `AudioDevice.route`.
  var route: [String] = []
  /// The server that `--audio auto` uses, with the reason.
  var heardServer = AutomaticServer()
  /// The inputs to record from, each with its channels and rates, or the word that it is busy.
  var inputs: [String] = []
  var tryDevice: @Sendable () -> DeviceTrial = { .opens }
  /// Returns true if a file can be read and written.
  var mayOpen: @Sendable (_ path: String) -> Bool = { _ in true }
  /// Returns true if a process listens on a local socket.
  var answers: @Sendable (_ socket: String) -> Bool = { FolderListing.isThere($0) }
}

/// Functions that read its files.
extension Machine {
  /// Returns the text of a system file; nil if it cannot be read.
  func text(of path: String) -> String? {
    do {
      let bytes = try InputFile(path: root + path, limit: 1 << 20).bytes
      return String(decoding: bytes, as: UTF8.self)
    } catch {
      return nil
    }
  }

  /// Returns the first line of a system file, with single spaces between its words.
  func line(of path: String) -> String? {
    let line = text(of: path)?.split(whereSeparator: \.isNewline).first
    return line.map { $0.split(separator: " ").joined(separator: " ") }
  }

  func isThere(_ path: String) -> Bool { FolderListing.isThere(root + path) }

  func names(in folder: String) -> [String] {
    FolderListing.readableNames(in: root + folder) ?? []
  }

  /// Returns an environment variable; nil if it is not set or empty.
  func variable(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns true if the kernel includes a module, loaded or not; nil if this is unknown.
  func hasModule(_ name: String) -> Bool? {
    guard let release = line(of: "/proc/sys/kernel/osrelease"),
      let modules = text(of: "/lib/modules/\(release)/modules.dep")
    else { return nil }
    let builtIn = text(of: "/lib/modules/\(release)/modules.builtin") ?? ""
    return [modules, builtIn].contains { $0.contains("/\(name).ko") }
  }
}

/// The user's groups.
extension Machine {
  private var groupLines: [[Substring]] {
    (text(of: "/etc/group") ?? "").split(whereSeparator: \.isNewline).map {
      $0.split(separator: ":", omittingEmptySubsequences: false)
    }
  }

  private func number(ofGroup name: String) -> UInt32? {
    groupLines.first { $0.count > 2 && $0[0] == name }.flatMap { UInt32($0[2]) }
  }

  var isInAudioGroup: Bool {
    userID == 0 || number(ofGroup: "audio").map(groups.contains) == true
  }

  /// True if the user joined `audio` after the start of the session, which does not include the
  /// group yet.
  private var joinedSinceLogin: Bool {
    let members = groupLines.first { $0.count > 3 && $0[0] == "audio" }?[3].split(separator: ",")
    guard let name = variable("USER") else { return false }
    return !isInAudioGroup && members?.contains(name[...]) == true
  }

  /// The commands that add the user to the group that owns sound devices.
  var joiningAudio: [String] {
    if isInAudioGroup { return [] }
    return [joinedSinceLogin ? "newgrp audio" : "sudo usermod -aG audio \"$USER\""]
  }

  /// The text about the time at which a new group takes effect.
  var joiningWords: String {
    isInAudioGroup || joinedSinceLogin ? "" : ", and log in again"
  }
}
