// SPDX-License-Identifier: Apache-2.0
public import Foundation

// Core Foundation's classes are Foundation's own: `as CFURL` and `Unmanaged<CFData>` work.
/// A string.
public typealias CFString = NSString
/// A string that can be changed.
public typealias CFMutableString = NSMutableString
/// Bytes.
public typealias CFData = NSData
/// Bytes that can be changed.
public typealias CFMutableData = NSMutableData
/// A URL.
public typealias CFURL = NSURL
/// A list.
public typealias CFArray = NSArray
/// A list that can be changed.
public typealias CFMutableArray = NSMutableArray
/// A dictionary.
public typealias CFDictionary = NSDictionary
/// A dictionary that can be changed.
public typealias CFMutableDictionary = NSMutableDictionary
/// A set.
public typealias CFSet = NSSet
/// A number.
public typealias CFNumber = NSNumber
/// True or false.
public typealias CFBoolean = NSNumber
/// An instant.
public typealias CFDate = NSDate
/// An error.
public typealias CFError = NSError
/// A folder with the files of a program.
public typealias CFBundle = Bundle
/// Any object.
public typealias CFTypeRef = AnyObject
/// A property list.
public typealias CFPropertyList = AnyObject
