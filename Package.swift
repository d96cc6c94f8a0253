// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// FluidSynth is to find the program's own GOMP_parallel, not the runtime's (see COpenMP.h).
let exportsOpenMP: [LinkerSetting] = [
  .unsafeFlags(["-Xlinker", "--export-dynamic-symbol=GOMP_parallel"])
]

let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Command"]))

let package = Package(
  name: "downbeat",
  products: [
    .library(name: "Downbeat", targets: ["Downbeat"]),
    .library(name: "MusicalTime", targets: ["MusicalTime"]),
    .library(name: "MIDIMessages", targets: ["MIDIMessages"]),
    .library(name: "MusicSequences", targets: ["MusicSequences"]),
    .library(name: "ScoreNotation", targets: ["ScoreNotation"]),
    .library(name: "SequencePlayback", targets: ["SequencePlayback"]),
    .library(name: "LinearTimecode", targets: ["LinearTimecode"]),
    .library(name: "ClockService", targets: ["ClockService"]),
    .library(name: "AudioProcessing", targets: ["AudioProcessing"]),
    .library(name: "SoundFontFiles", targets: ["SoundFontFiles"]),
    .library(name: "SoundFontInstruments", targets: ["SoundFontInstruments"]),
    .library(name: "SpatialResponses", targets: ["SpatialResponses"]),
    .library(name: "TimeStretching", targets: ["TimeStretching"]),
    .library(name: "LV2Units", targets: ["LV2Units"]),
    .library(name: "AudioFiles", targets: ["AudioFiles"]),
    .library(name: "SoundStreaming", targets: ["SoundStreaming"]),
    .library(name: "ClipPlayback", targets: ["ClipPlayback"]),
    .library(name: "ALSAAudio", targets: ["ALSAAudio"]),
    .library(name: "JACKAudio", targets: ["JACKAudio"]),
    .library(name: "ALSAMIDI", targets: ["ALSAMIDI"]),
    .library(name: "MIDIPorts", targets: ["MIDIPorts"]),
    .library(name: "PlayerControl", targets: ["PlayerControl"]),
    .library(name: "Realtime", targets: ["Realtime"]),
    // FluidSynth's cure (see COpenMP.h), for programs that render with it.
    .library(name: "COpenMP", targets: ["COpenMP"]),
    // Modules as on Apple's systems, which have their own.
    .library(name: "AudioToolbox", targets: ["AudioToolbox"]),
    .library(name: "CoreMIDI", targets: ["CoreMIDI"]),
    .library(name: "CoreAudio", targets: ["CoreAudio"]),
    .library(name: "AudioUnit", targets: ["AudioUnit"]),
    .library(name: "CoreMedia", targets: ["CoreMedia"]),
    .library(name: "AVFAudio", targets: ["AVFAudio"]),
    .library(name: "AVFoundation", targets: ["AVFoundation"]),
    .executable(name: "downbeat", targets: ["DownbeatMain"]),
    .executable(name: "downbeat-smf-check", targets: ["SMFCheck"]),
    .executable(name: "downbeat-manual", targets: ["DownbeatManual"]),
  ],
  // Whoever builds on the library alone asks for no traits, and fetches no other package.
  traits: [
    .trait(name: "Command", description: "The command, and the argument parser that it needs."),
    .default(enabledTraits: ["Command"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    // C libraries: headers and thin shims.
    .target(name: "CALSA", linkerSettings: [.linkedLibrary("asound")]),
    .systemLibrary(name: "CSMF", pkgConfig: "smf", providers: [.apt(["libsmf-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CRealtime"),
    .target(name: "CSoundFontVoices"),
    .target(name: "CWholeFiles"),
    .target(name: "COpenMP"),
    // Libraries that are opened when they are first needed: a Clang module each.
    .target(name: "CLibraries"),
    // Layer 0
    // floor, round and square root of doubles: exact, but calls of libm on x86-64.
    .target(name: "MusicalTime", linkerSettings: [.linkedLibrary("m")]),
    .target(name: "Realtime", dependencies: ["CRealtime", "FileNames", "WholeFiles"]),
    .target(name: "FileNames"),
    .target(name: "WholeFiles", dependencies: ["CWholeFiles", "FileNames"]),
    .target(name: "JSONText", dependencies: ["FileNames"]),
    .target(name: "SystemPackages", dependencies: ["FileNames"]),
    .target(name: "TOMLText"),
    .target(name: "SessionBus", dependencies: ["CLibraries"]),
    .target(name: "NetworkSockets"),
    // Layer 1
    .target(name: "MIDIMessages", dependencies: ["MusicalTime"]),
    .target(name: "LinearTimecode", dependencies: ["MusicalTime"]),
    .target(name: "LinkProtocol", dependencies: ["MusicalTime"]),
    .target(name: "OpenSoundControl", dependencies: ["MusicalTime"]),
    .target(name: "WebSockets", dependencies: ["JSONText", "NetworkSockets"]),
    .target(name: "SoundFontFiles"),
    .target(name: "TerminalViews", dependencies: ["JSONText"]),
    // Layer 2
    .target(name: "MusicSequences", dependencies: ["MIDIMessages", "MusicalTime"]),
    .target(name: "ClockService", dependencies: ["MIDIMessages", "MusicalTime", "Realtime"]),
    .target(
      name: "AudioProcessing",
      dependencies: ["CRealtime", "JSONText", "MIDIMessages", "MusicalTime", "Realtime"]),
    .target(name: "MIDIPorts", dependencies: ["MIDIMessages", "MusicalTime", "Realtime"]),
    .target(name: "RTPMIDI", dependencies: ["MIDIMessages", "MusicalTime"]),
    .target(
      name: "AudioFiles",
      dependencies: [
        "CLibraries", "FileNames", "MusicalTime", "SystemPackages", "WholeFiles",
      ]),
    // Layer 3
    .target(
      name: "LinkSessions",
      dependencies: [
        "ClockService", "LinkProtocol", "MusicalTime", "NetworkSockets", "Realtime",
      ]),
    .target(
      name: "RTPSessions",
      dependencies: [
        "CLibraries", "MIDIMessages", "MIDIPorts", "MusicalTime", "NetworkSockets", "RTPMIDI",
        "Realtime",
      ]),
    .target(
      name: "SequencePlayback",
      dependencies: ["MIDIMessages", "MusicSequences", "MusicalTime"]),
    .target(
      name: "ScoreNotation", dependencies: ["MIDIMessages", "MusicSequences", "MusicalTime"]),
    .target(
      name: "SongPictures",
      dependencies: ["JSONText", "MIDIMessages", "MusicSequences", "MusicalTime"]),
    .target(
      name: "SoundFontVoices",
      dependencies: [
        "AudioFiles", "CSoundFontVoices", "FileNames", "MIDIMessages", "SoundFontFiles",
      ]),
    .target(
      name: "SpatialResponses",
      dependencies: ["AudioProcessing", "CLibraries", "FileNames", "MusicalTime"]),
    .target(
      name: "TimeStretching", dependencies: ["AudioProcessing", "CLibraries", "MusicalTime"]),
    .target(
      name: "LV2Units",
      dependencies: [
        "AudioProcessing", "CLibraries", "FileNames", "JSONText", "MIDIMessages", "MusicalTime",
        "Realtime", "SystemPackages", "WholeFiles",
      ]),
    .target(
      name: "SoundStreaming",
      dependencies: [
        "AudioFiles", "AudioProcessing", "CLibraries", "FileNames", "MusicalTime", "Realtime",
        "SystemPackages", "WholeFiles",
      ]),
    .target(
      name: "ClipPlayback",
      dependencies: [
        "AudioFiles", "AudioProcessing", "FileNames", "MIDIMessages", "MusicalTime", "Realtime",
      ]),
    .target(
      name: "ALSAAudio",
      dependencies: ["AudioProcessing", "CALSA", "FileNames", "MusicalTime", "Realtime"]),
    .target(
      name: "ALSAMIDI",
      dependencies: ["CALSA", "MIDIMessages", "MIDIPorts", "MusicalTime", "Realtime"]),
    .target(
      name: "JACKAudio",
      dependencies: [
        "AudioProcessing", "CLibraries", "ClockService", "FileNames", "MIDIMessages", "MIDIPorts",
        "MusicalTime", "Realtime", "SystemPackages",
      ]),
    // libsmf's reading of a file, as a program of its own: it aborts on some.
    .executableTarget(name: "SMFCheck", dependencies: ["CSMF"]),
    .target(
      name: "SMFInterop",
      dependencies: ["FileNames", "MusicSequences", "MusicalTime", "WholeFiles"]),
    // Layer 4
    .target(
      name: "SoundFontInstruments",
      dependencies: [
        "AudioProcessing", "CLibraries", "FileNames", "MIDIMessages", "MusicalTime", "Realtime",
        "SoundFontFiles", "SoundFontVoices", "SystemPackages",
      ]),
    .target(name: "CairoPictures", dependencies: ["CLibraries", "SongPictures", "SystemPackages"]),
    // Layer 5
    .target(
      name: "Downbeat",
      dependencies: [
        "AudioFiles", "AudioProcessing", "CZlib", "ClipPlayback", "ClockService", "FileNames",
        "SoundFontInstruments", "JSONText", "LinearTimecode", "MIDIMessages", "MusicSequences",
        "MusicalTime", "Realtime", "SequencePlayback", "SoundFontFiles", "SystemPackages",
        "TOMLText", "WholeFiles",
      ]),
    // Layer 6
    .target(
      name: "PlayerControl",
      dependencies: [
        "AudioProcessing", "ClipPlayback", "ClockService", "Downbeat", "FileNames", "JACKAudio",
        "JSONText", "MIDIMessages", "MusicSequences", "MusicalTime", "NetworkSockets",
        "OpenSoundControl", "Realtime", "SessionBus", "SoundStreaming", "WebSockets", "WholeFiles",
      ]),
    // Layer 7
    .target(
      name: "CommandKit",
      dependencies: [
        "ALSAAudio", "ALSAMIDI", "AudioFiles", "AudioProcessing", "ClipPlayback", "ClockService",
        "Downbeat", "FileNames", "SoundFontInstruments", "JACKAudio", "JSONText", "LV2Units",
        "MIDIMessages", "MIDIPorts", "MusicSequences", "MusicalTime", "NetworkSockets",
        "PlayerControl", "RTPMIDI", "RTPSessions", "Realtime", "SoundStreaming", "TerminalViews",
        "WholeFiles", argumentParser,
      ]),
    // Layer 8
    .target(
      name: "CommandOptions",
      dependencies: [
        "ALSAAudio", "AudioFiles", "AudioProcessing", "ClipPlayback", "ClockService", "CommandKit",
        "Downbeat", "FileNames", "SoundFontInstruments", "JACKAudio", "JSONText", "LV2Units",
        "LinearTimecode", "MIDIMessages", "MusicSequences", "MusicalTime", "PlayerControl",
        "Realtime", "SequencePlayback", "SoundStreaming", "SystemPackages", "WholeFiles",
        argumentParser,
      ]),
    .target(
      name: "PlayerViews",
      dependencies: [
        "ALSAAudio", "AudioProcessing", "ClipPlayback", "ClockService", "CommandKit", "Downbeat",
        "JSONText", "MIDIMessages", "MusicSequences", "MusicalTime", "PlayerControl", "Realtime",
        "TOMLText", "TerminalViews", argumentParser,
      ]),
    // Layer 9
    .target(
      name: "SoundTools",
      dependencies: [
        "AudioFiles", "AudioProcessing", "ClipPlayback", "CommandKit", "CommandOptions", "Downbeat",
        "FileNames", "SoundFontInstruments", "JSONText", "LV2Units", "LinearTimecode",
        "MusicSequences", "MusicalTime", "PlayerControl", "PlayerViews", "Realtime",
        "SoundStreaming", "SystemPackages", "TerminalViews", "WholeFiles", argumentParser,
      ]),
    .target(
      name: "PortTools",
      dependencies: [
        "ALSAAudio", "ALSAMIDI", "AudioFiles", "AudioProcessing", "ClockService", "CommandKit",
        "CommandOptions", "Downbeat", "FileNames", "JACKAudio", "JSONText", "LinearTimecode",
        "LinkSessions", "MIDIMessages", "MIDIPorts", "MusicSequences", "MusicalTime",
        "NetworkSockets", "PlayerControl", "PlayerViews", "RTPMIDI", "RTPSessions", "Realtime",
        "TerminalViews", argumentParser,
      ]),
    .target(
      name: "SongTools",
      dependencies: [
        "AudioFiles", "CairoPictures", "CommandKit", "CommandOptions", "Downbeat", "FileNames",
        "SoundFontInstruments", "JSONText", "MIDIMessages", "MusicSequences", "MusicalTime",
        "PlayerControl", "PlayerViews", "SMFInterop", "ScoreNotation", "SongPictures",
        "SoundFontFiles", "SoundFontVoices", "WholeFiles", argumentParser,
      ]),
    // Layer 10
    .target(
      name: "DownbeatCommand",
      dependencies: [
        "ALSAAudio", "ALSAMIDI", "AudioFiles", "AudioProcessing", "ClockService", "CommandKit",
        "CommandOptions", "Downbeat", "FileNames", "SoundFontInstruments", "JACKAudio", "JSONText",
        "LV2Units", "MIDIMessages", "MIDIPorts", "MusicSequences", "MusicalTime",
        "OpenSoundControl", "PlayerControl", "PlayerViews", "PortTools", "Realtime",
        "SequencePlayback", "SessionBus", "SongTools", "SoundStreaming", "SoundTools",
        "SystemPackages", "TOMLText", "TerminalViews", "WholeFiles", argumentParser,
      ]),
    .executableTarget(
      name: "DownbeatMain", dependencies: ["COpenMP", "DownbeatCommand"],
      linkerSettings: exportsOpenMP),
    // Man pages and completions, written when the command is installed.
    .executableTarget(
      name: "DownbeatManual",
      dependencies: ["COpenMP", "Downbeat", "DownbeatCommand", "WholeFiles"],
      linkerSettings: exportsOpenMP),
    // Modules named and shaped as on Apple's systems.
    .target(name: "CCoreAudio", path: "Compatibility/Sources/CCoreAudio"),
    .target(name: "CCoreFoundation", path: "Compatibility/Sources/CCoreFoundation"),
    // Without a package's name: the compiler counts it with the system's Clang module that it extends.
    .target(
      name: "CoreFoundation", dependencies: ["CCoreFoundation"],
      path: "Compatibility/Sources/CoreFoundation", packageAccess: false),
    .target(
      name: "CoreAudioTypes", dependencies: ["CCoreAudio", "CoreFoundation"],
      path: "Compatibility/Sources/CoreAudioTypes"),
    .target(
      name: "CoreAudioHandles", dependencies: ["CoreAudioTypes"],
      path: "Compatibility/Sources/CoreAudioHandles"),
    .target(
      name: "CoreAudio",
      dependencies: [
        "ALSAAudio", "CCoreAudio", "CoreAudioTypes", "CoreFoundation", "MusicalTime",
      ],
      path: "Compatibility/Sources/CoreAudio"),
    .target(
      name: "CoreMIDI",
      dependencies: [
        "ALSAMIDI", "CCoreAudio", "CoreAudioHandles", "CoreAudioTypes", "MIDIMessages",
        "MIDIPorts", "MusicalTime", "Realtime",
      ], path: "Compatibility/Sources/CoreMIDI"),
    // Parts of AudioToolbox, which includes them.
    .target(
      name: "AudioToolboxFiles",
      dependencies: [
        "AudioFiles", "CCoreAudio", "CoreAudio", "CoreAudioHandles", "CoreAudioTypes",
        "CoreFoundation", "FileNames", "MusicalTime",
      ], path: "Compatibility/Sources/AudioToolboxFiles"),
    .target(
      name: "AudioToolboxQueues",
      dependencies: [
        "ALSAAudio", "AudioFiles", "AudioProcessing", "AudioToolboxFiles", "CCoreAudio",
        "CCoreFoundation", "ClipPlayback", "CoreAudio", "CoreAudioHandles", "CoreAudioTypes",
        "CoreFoundation", "MusicalTime", "Realtime", "TimeStretching",
      ],
      path: "Compatibility/Sources/AudioToolboxQueues"),
    .target(
      name: "AudioToolbox",
      dependencies: [
        "ALSAAudio", "AudioProcessing", "AudioToolboxFiles", "AudioToolboxQueues", "CCoreAudio",
        "CCoreFoundation", "ClipPlayback",
        "ClockService", "CoreAudio", "CoreAudioHandles", "CoreAudioTypes", "CoreFoundation",
        "CoreMIDI", "Downbeat", "FileNames",
        "MIDIMessages", "MusicSequences", "MusicalTime", "Realtime", "SequencePlayback",
        "SoundFontInstruments", "WholeFiles",
      ], path: "Compatibility/Sources/AudioToolbox"),
    .target(
      name: "AudioUnit", dependencies: ["AudioToolbox"], path: "Compatibility/Sources/AudioUnit"),
    .target(
      name: "CoreMedia", dependencies: ["CCoreAudio", "CoreAudio", "CoreAudioTypes"],
      path: "Compatibility/Sources/CoreMedia"),
    .target(
      name: "AVFAudio",
      dependencies: [
        "ALSAAudio", "AudioFiles", "AudioProcessing", "AudioToolbox", "AudioToolboxFiles",
        "AudioUnit", "ClipPlayback", "CoreAudio", "CoreAudioTypes", "Downbeat", "MIDIMessages",
        "MusicalTime", "Realtime", "SoundFontFiles", "SoundFontInstruments", "SpatialResponses",
        "TimeStretching",
      ],
      path: "Compatibility/Sources/AVFAudio"),
    .target(
      name: "AVFoundationAssets",
      dependencies: [
        "AVFAudio", "AudioFiles", "AudioProcessing", "AudioToolbox", "AudioToolboxFiles",
        "ClipPlayback", "CoreAudio", "CoreAudioHandles", "CoreAudioTypes", "CoreMedia",
        "FileNames", "MusicalTime", "SoundStreaming",
      ],
      path: "Compatibility/Sources/AVFoundationAssets"),
    .target(
      name: "AVFoundation",
      dependencies: ["AVFAudio", "AVFoundationAssets", "AudioToolbox", "AudioUnit", "CoreMedia"],
      path: "Compatibility/Sources/AVFoundation"),
    // Tests
    // Tells the thread sanitizer of Swift's mutexes.
    .target(name: "CMutexOrder", path: "Tests/CMutexOrder"),
    .target(
      name: "TestSupport",
      dependencies: ["ClockService", "CMutexOrder", "MIDIMessages", "MusicalTime", "Realtime"],
      path: "Tests/TestSupport", exclude: ["private_avahi.py"]),
    .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
    // What masters send, as arrival times; the benchmarks read it too.
    .target(name: "ClockTraces", path: "Tests/ClockTraces"),
    // Requests for times and their answers, a line of JSON each.
    .target(
      name: "VectorProtocol", dependencies: ["JSONText", "MusicalTime"],
      path: "Tests/VectorProtocol"),
    // The helper programs of the tests; the first argument selects one.
    .executableTarget(
      name: "TestProbe",
      dependencies: [
        "ALSAAudio", "ALSAMIDI", "AudioFiles", "AudioProcessing", "ClipPlayback", "JACKAudio",
        "LinkProtocol", "LinkSessions", "MIDIMessages", "MIDIPorts", "MusicalTime",
        "NetworkSockets", "RTPMIDI", "RTPSessions", "Realtime", "VectorProtocol",
      ], path: "Tests/test-probe"),
    // What a voice costs, ours and FluidSynth's.
    .executableTarget(
      name: "downbeat-voices",
      dependencies: ["CLibraries", "MIDIMessages", "SoundFontFiles", "SoundFontVoices"],
      path: "Tests/downbeat-voices"),
    .testTarget(
      name: "MusicalTimeTests",
      dependencies: ["MusicalTime", "TestProbe", "TestSupport"]),
    .testTarget(name: "RealtimeTests", dependencies: ["Realtime", "TestProbe", "TestSupport"]),
    .testTarget(name: "TOMLTextTests", dependencies: ["TOMLText"]),
    .testTarget(name: "FileNamesTests", dependencies: ["FileNames", "JSONText"]),
    .testTarget(name: "WholeFilesTests", dependencies: ["TestSupport", "WholeFiles"]),
    .testTarget(
      name: "NetworkSocketsTests", dependencies: ["NetworkSockets", "Realtime", "TestSupport"]),
    .testTarget(
      name: "WebSocketsTests",
      dependencies: ["JSONText", "TestSupport", "WebSockets"]),
    .testTarget(
      name: "LinkProtocolTests", dependencies: ["LinkProtocol", "MusicalTime", "TestSupport"]),
    .testTarget(
      name: "OpenSoundControlTests",
      dependencies: ["MusicalTime", "OpenSoundControl", "TestSupport"], exclude: ["again.py"]),
    .testTarget(
      name: "LinkSessionsTests",
      dependencies: [
        "ClockService", "LinkProtocol", "LinkSessions", "MusicalTime", "Realtime", "TestProbe",
        "TestSupport",
      ], exclude: ["aalink-peer.py", "link-conformance.py"]),
    .testTarget(
      name: "LinearTimecodeTests", dependencies: ["LinearTimecode", "MusicalTime", "TestSupport"]),
    .testTarget(
      name: "MIDIMessagesTests", dependencies: ["MIDIMessages", "MusicalTime", "TestSupport"]),
    .testTarget(
      name: "RTPMIDITests",
      dependencies: ["MIDIMessages", "MusicalTime", "RTPMIDI", "TestSupport"]),
    .testTarget(
      name: "RTPSessionsTests",
      dependencies: [
        "MIDIMessages", "MIDIPorts", "MusicalTime", "NetworkSockets", "RTPMIDI", "RTPSessions",
        "Realtime", "TestProbe", "TestSupport",
      ], exclude: ["pymidi-server.py", "tshark-judge.py", "zeroconf-judge.py"]),
    .testTarget(
      name: "MusicSequencesTests",
      dependencies: [
        "CAllocationCounter", "MIDIMessages", "MusicSequences", "MusicalTime", "TestSupport",
      ]),
    .testTarget(
      name: "SMFInteropTests",
      dependencies: ["MIDIMessages", "MusicSequences", "MusicalTime", "SMFInterop", "TestSupport"]),
    .testTarget(
      name: "ClockServiceTests",
      dependencies: [
        "CAllocationCounter", "ClockService", "ClockTraces", "MIDIMessages", "MusicalTime",
        "Realtime", "TestSupport",
      ]),
    .testTarget(
      name: "SequencePlaybackTests",
      dependencies: [
        "AudioProcessing", "CAllocationCounter", "ClockService", "MIDIMessages", "MusicSequences",
        "MusicalTime", "SequencePlayback", "TestSupport",
      ]),
    .testTarget(
      name: "ScoreNotationTests",
      dependencies: ["MIDIMessages", "MusicSequences", "MusicalTime", "ScoreNotation"]),
    // What tries plug-ins, which may crash.
    .executableTarget(
      name: "LV2Trial", dependencies: ["AudioProcessing", "LV2Units", "MusicalTime"],
      path: "Tests/lv2-trial"),
    // Units, rigs and other programs for the tests of sound.
    .target(
      name: "AudioTestSupport",
      dependencies: ["AudioProcessing", "MusicalTime", "Realtime", "TestSupport"],
      path: "Tests/AudioTestSupport"),
    .testTarget(
      name: "AudioProcessingTests",
      dependencies: [
        "AudioFiles", "AudioProcessing", "AudioTestSupport", "CAllocationCounter", "MIDIMessages",
        "MusicalTime", "Realtime", "TestSupport",
      ]),
    .testTarget(
      name: "AudioFilesTests",
      dependencies: [
        "AudioFiles", "AudioProcessing", "AudioTestSupport", "CAllocationCounter", "ClipPlayback",
        "MusicalTime", "TestSupport",
      ]),
    .testTarget(
      name: "ClipPlaybackTests",
      dependencies: [
        "AudioFiles", "AudioProcessing", "AudioTestSupport", "CAllocationCounter", "ClipPlayback",
        "MIDIMessages", "MusicalTime", "Realtime", "TestSupport",
      ]),
    .testTarget(
      name: "ALSAAudioTests",
      dependencies: [
        "ALSAAudio", "AudioProcessing", "AudioTestSupport", "MusicalTime", "Realtime",
        "TestSupport",
      ]),
    .testTarget(
      name: "JACKAudioTests",
      dependencies: [
        "AudioProcessing", "AudioTestSupport", "CAllocationCounter", "CLibraries", "ClockService",
        "JACKAudio", "MIDIMessages", "MIDIPorts", "MusicalTime", "Realtime", "TestSupport",
      ]),
    .testTarget(
      name: "LV2UnitsTests",
      dependencies: [
        "AudioProcessing", "AudioTestSupport", "CAllocationCounter", "LV2Trial", "LV2Units",
        "MIDIMessages", "MusicalTime", "Realtime", "TestSupport",
      ]),
    .testTarget(
      name: "SoundFontInstrumentsTests",
      dependencies: [
        "AudioProcessing", "AudioTestSupport", "CAllocationCounter", "COpenMP", "MIDIMessages",
        "MusicSequences", "MusicalTime", "SoundFontFiles", "SoundFontInstruments", "TestSupport",
      ], linkerSettings: exportsOpenMP),
    .testTarget(
      name: "SpatialResponsesTests",
      dependencies: [
        "AudioProcessing", "AudioTestSupport", "CLibraries", "MusicalTime", "SpatialResponses",
        "TestSupport",
      ]),
    .testTarget(
      name: "TimeStretchingTests",
      dependencies: [
        "AudioProcessing", "AudioTestSupport", "CAllocationCounter", "MusicalTime", "TestSupport",
        "TimeStretching",
      ]),
    .testTarget(
      name: "SoundStreamingTests",
      dependencies: [
        "AudioFiles", "AudioProcessing", "MusicalTime", "SoundStreaming", "TestSupport",
      ]),
    .testTarget(name: "TerminalViewsTests", dependencies: ["TerminalViews", "TestSupport"]),
    .testTarget(
      name: "SongPicturesTests",
      dependencies: [
        "CairoPictures", "MIDIMessages", "MusicSequences", "MusicalTime", "SongPictures",
      ]),
    .testTarget(
      name: "SoundFontFilesTests", dependencies: ["SoundFontFiles", "TestSupport"]),
    .testTarget(
      name: "SoundFontVoicesTests",
      dependencies: [
        "AudioFiles", "CAllocationCounter", "CLibraries", "CSoundFontVoices", "MIDIMessages",
        "MusicalTime", "SoundFontFiles", "SoundFontVoices", "TestSupport",
      ]),
    .testTarget(
      name: "DownbeatTests",
      dependencies: [
        "AudioFiles", "AudioProcessing", "ClockService", "Downbeat", "SoundFontInstruments",
        "LV2Units", "LinearTimecode", "MIDIMessages", "MusicSequences", "MusicalTime", "Realtime",
        "TestSupport",
      ]),
    // A witness for arrival times that shares no code with the rest.
    .executableTarget(
      name: "StampCapture", path: "Tests/alsa-vm/capture",
      linkerSettings: [.linkedLibrary("asound")]),
    .testTarget(
      name: "ALSAMIDITests",
      dependencies: [
        "ALSAMIDI", "CALSA", "MIDIMessages", "MIDIPorts", "MusicSequences", "MusicalTime",
        "TestSupport",
      ]),
    .testTarget(
      name: "MIDIPortsTests",
      dependencies: ["MIDIMessages", "MIDIPorts", "MusicalTime", "TestProbe", "TestSupport"]),
    // Mutated input of every kind, in processes of its own.
    .executableTarget(
      name: "downbeat-fuzz",
      dependencies: [
        "AVFAudio", "AVFoundation", "AudioFiles", "AudioProcessing", "COpenMP", "ClipPlayback",
        "ClockService",
        "Downbeat", "DownbeatCommand", "LinearTimecode", "LinkProtocol", "MIDIMessages",
        "MusicSequences", "MusicalTime", "OpenSoundControl", "RTPMIDI", "Realtime", "ScoreNotation",
        "SoundFontFiles",
        "SoundFontInstruments", "SoundFontVoices", "SoundStreaming", "TestSupport",
        "VectorProtocol", "WebSockets",
      ], path: "Tests/downbeat-fuzz", linkerSettings: exportsOpenMP),
    // A program for Core MIDI, to be run under a kernel with a sequencer.
    .executableTarget(
      name: "CoreMIDIProbe", dependencies: ["AudioToolbox", "CoreMIDI"],
      path: "Tests/core-midi-probe"),
    .testTarget(
      name: "AudioToolboxTests",
      dependencies: [
        "AVFAudio", "AVFoundation", "AVFoundationAssets", "AudioFiles", "AudioProcessing",
        "AudioTestSupport", "AudioToolbox", "AudioToolboxFiles", "AudioToolboxQueues",
        "CAllocationCounter", "CoreAudio", "CoreAudioHandles", "CoreFoundation", "CoreMIDI",
        "CoreMIDIProbe", "CoreMedia", "Downbeat", "MIDIMessages", "MusicSequences", "MusicalTime",
        "SoundFontInstruments", "SpatialResponses", "TestSupport", "TimeStretching",
        "downbeat-fuzz",
      ], path: "Compatibility/Tests/AudioToolboxTests", exclude: ["AudioKit/Stub.swift"]),
    .testTarget(
      name: "PlayerControlTests",
      dependencies: [
        "AudioProcessing", "ClipPlayback", "ClockService", "Downbeat", "JSONText", "MIDIMessages",
        "MusicSequences", "MusicalTime", "NetworkSockets", "OpenSoundControl", "PlayerControl",
        "Realtime", "SessionBus", "TestSupport",
      ]),
    .testTarget(
      name: "DownbeatCommandTests",
      dependencies: [
        "ALSAAudio", "AudioProcessing", "ClockService", "CommandKit", "CommandOptions", "Downbeat",
        "DownbeatCommand", "JSONText", "MIDIMessages", "MusicSequences", "MusicalTime",
        "PlayerControl", "PlayerViews", "PortTools", "Realtime", "TerminalViews", "TestSupport",
        argumentParser,
      ]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "ClockService", "CommandKit", "DownbeatCommand", "DownbeatManual", "MusicalTime",
        "Realtime", "SoundFontFiles", "TestProbe", "TestSupport", "downbeat-fuzz",
      ],
      exclude: [
        "Control/lead.py", "Devices/rtkit.py", "Help", "Names/names.py", "Network/osc.py",
        "Network/sessions.py", "Network/web.py", "Process/aalink-lead.py",
        "Process/type-in-shell.py",
      ]),
  ]
)

#if canImport(Darwin)
  // Apple's systems have modules of these names: the products are there, and bring none.
  let appleModules: Set<String> = [
    "AVFAudio", "AVFoundation", "AVFoundationAssets", "AudioToolbox", "AudioUnit", "CoreAudio",
    "CoreAudioTypes",
    "CoreFoundation", "CoreMIDI", "CoreMedia",
  ]
  let needy: Set<String> = [
    "AudioToolboxTests", "CoreMIDIProbe", "EndToEndTests", "downbeat-fuzz",
  ]
  package.targets.removeAll { appleModules.contains($0.name) || needy.contains($0.name) }
  package.targets.append(
    .target(name: "AppleSystems", path: "Compatibility/Sources/AppleSystems"))
  package.products = package.products.map { product in
    appleModules.contains(product.name)
      ? .library(name: product.name, targets: ["AppleSystems"]) : product
  }
#endif

let cTargets: Set<String> = [
  "CAllocationCounter", "CALSA", "CCoreAudio", "CCoreFoundation", "CLibraries", "CMutexOrder",
  "COpenMP", "CRealtime", "CSoundFontVoices", "CWholeFiles", "StampCapture",
]
for target in package.targets where target.type != .system && !cTargets.contains(target.name) {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableExperimentalFeature("Lifetimes"),
  ]
  // Only here and in CI: another compiler may warn of more, and who builds on this is not to mend it.
  if Context.environment["DOWNBEAT_STRICT"] != nil {
    target.swiftSettings?.append(.treatAllWarnings(as: .error))
  }
  // Clients of functions shaped as C's do in every line what it would have marked.
  if !["AudioToolboxTests", "CoreMIDIProbe"].contains(target.name) {
    target.swiftSettings?.append(.strictMemorySafety())
  }
}

// What nobody waits for is made small: half of the program is the command. None of it is in a library
// that others use, where such flags may not be.
let smallTargets: Set<String> = [
  "CairoPictures", "CommandKit", "CommandOptions", "DownbeatCommand", "DownbeatManual",
  "PlayerViews", "PortTools", "SMFCheck", "SMFInterop", "SongPictures", "SongTools", "SoundTools",
  "TerminalViews",
]
for target in package.targets where smallTargets.contains(target.name) {
  target.swiftSettings?.append(.unsafeFlags(["-Osize"], .when(configuration: .release)))
}

// Tests are compiled as they stand, what they test as users get it: a check runs once, and to optimise
// it takes longer than to run it.
for target in package.targets where target.type == .test {
  target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
}
