// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import Downbeat
internal import WholeFiles

/// What the doctor looks at: the files of a machine, and what only the process itself can say.
///
/// A test makes one of a folder that looks like a machine's files.
struct Machine: Sendable {
  /// The most that the process may ask for.
  struct Limits {
    /// Whether a thread got a priority for real time when it asked for one.
    var grantsPriority = true
    /// Microseconds that such a thread may compute without a pause; nil for any number.
    var runTime: UInt64?
    /// Bytes that may be kept out of swap; nil for any number.
    var lockedMemory: UInt64?
  }

  /// How the standard device was when it was opened for a moment.
  enum DeviceTrial {
    case opens
    case refused(DeviceError)
    /// Nothing came back in two seconds.
    case silent
  }

  /// The server that --audio auto plays on.
  struct AutomaticServer {
    /// Name of the server; nil for none.
    var name: String?
    /// Sentence for people: why this server, or why none.
    var reason = ""
    /// True if a server runs and its client library is not installed.
    var isLibraryMissing = false
  }

  /// A path before those of system files; empty but in tests.
  var root = ""
  var environment: [String: String] = [:]
  var userID: UInt32 = 0
  /// The groups that the process is in, by number.
  var groups: Set<UInt32> = []
  var limits = Limits()
  /// The columns of the terminal; nil where the output goes elsewhere.
  var columns: Int?
  /// Every library with its version; nil where it is missing.
  var libraries: [(name: String, version: String?)] = []
  /// The version of FFmpeg that is installed and cannot be used, or nil.
  var unsupportedFFmpeg: String?
  /// Codecs that the installed FFmpeg was built without.
  var missingCodecs: [String] = []
  var soundFonts: SoundFontDiscovery
  /// Where the standard device leads, as `AudioDevice.route` says.
  var route: [String] = []
  /// The server that --audio auto plays on, or why it plays on none.
  var heardServer = AutomaticServer()
  /// The inputs to record from, each with its channels and rates, or that it is busy.
  var inputs: [String] = []
  var tryDevice: @Sendable () -> DeviceTrial = { .opens }
  /// Whether a file may be read and written.
  var mayOpen: @Sendable (_ path: String) -> Bool = { _ in true }
  /// Whether a process listens on a local socket.
  var answers: @Sendable (_ socket: String) -> Bool = { FolderListing.isThere($0) }
}

/// Reading its files.
extension Machine {
  /// The text of a system file; nil where it cannot be read.
  func text(of path: String) -> String? {
    do {
      let bytes = try InputFile(path: root + path, limit: 1 << 20).bytes
      return String(decoding: bytes, as: UTF8.self)
    } catch {
      return nil
    }
  }

  /// The first line of a system file, without the blanks at its ends.
  func line(of path: String) -> String? {
    let line = text(of: path)?.split(whereSeparator: \.isNewline).first
    return line.map { $0.split(separator: " ").joined(separator: " ") }
  }

  func isThere(_ path: String) -> Bool { FolderListing.isThere(root + path) }

  func names(in folder: String) -> [String] {
    FolderListing.readableNames(in: root + folder) ?? []
  }

  /// A variable that is set and not empty.
  func variable(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether the kernel has a module, loaded or not; nil where that is not known.
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

  /// Whether the user is a member of `audio` since the session began, so that it does not know.
  private var joinedSinceLogin: Bool {
    let members = groupLines.first { $0.count > 3 && $0[0] == "audio" }?[3].split(separator: ",")
    guard let name = variable("USER") else { return false }
    return !isInAudioGroup && members?.contains(name[...]) == true
  }

  /// The commands that make the user a member of the group that owns sound devices.
  var joiningAudio: [String] {
    if isInAudioGroup { return [] }
    return [joinedSinceLogin ? "newgrp audio" : "sudo usermod -aG audio \"$USER\""]
  }

  /// When what was joined counts.
  var joiningWords: String {
    isInAudioGroup || joinedSinceLogin ? "" : ", and log in again"
  }
}
