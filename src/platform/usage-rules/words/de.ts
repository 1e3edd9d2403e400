import type { WordLists } from './classes.ts';

export const DE: WordLists = {
  calm: 'zögere nicht|zögern sie nicht|warte nicht|vergiss nicht|keine sorge|keine angst|kein problem|keine fragen|keine rückfragen|warum nicht|nicht nur|kein phishing|kein betrug|kein scherz|kein witz|kein zweifel|ohne zweifel|ohne rückfrage|ohne zu fragen|ohne verzug|niemand sonst|öffentlicher schlüssel|öffentlichen schlüssel|öffentliche schlüssel|öffentlichen schlüssels|schlüsselzahlen|kennzahlen|rabattcode|quellcode|qr code|ich versichere ihnen dass|ich versichere dir dass|inhaber dieses schlüssels|trau dich nicht|wir sind versichert|ich bin versichert',
  not: 'nicht|kein|keine|keinen|keinem|keiner|keines|nie|niemals|ohne|niemand|nichts|weder|statt|anstatt|vermeide|vorsicht|achtung|ausgeschlossen|ausschließen|schließen aus|verweigere|ablehnen|lehne ab|keinerlei',
  said: 'sagte|sagt|behauptet|behauptete|fragte|fragte nach|verlangte|forderte|schrieb|wollte|versuchte|gab sich|ausgegeben|ausgibt|ausgeben|ausgab|hat sich als|gab vor|versprach|versprochen|meldete|gemeldet|laut|stand|hieß es|abgelehnt|ignoriert|gefragt',
  report:
    'phishing|betrug|betrüger|spam|angriff|angreifer|meldung|beschwerde|vorfall|geleakt|durchgesickert|verboten|verbietet|untersagt|jemand|wenn jemand|falls jemand|verlangt|lehre|nutzungsregel|regel r1|regel r2|regel r4|gestohlen|verdächtig|geschichte|roman|rollenspiel|zum beispiel|ein agent|agenten dürfen|kein agent',
  mention:
    'satz|übersetze|übersetzung|titel|überschrift|slogan|fehlertext|fehlertexte|zitat|beispiel|erkenne|etikettiere',
  ask_end:
    'schicken|zuschicken|geben|herausgeben|teilen|mitteilen|senden|zusenden|zeigen|haben|nennen|verraten|sagen|leihen|ausleihen|einreichen|abliefern|schreiben|aufschreiben|eintragen|einfügen|hochladen|übermitteln|mailen|weiterleiten|geschickt|gegeben|brauche|brauchen|benötigt|preisgeben|bekommen|kriegen|überlassen|aushändigen|weitergeben|durchgeben|beilegen|bei|ein|durch|mit|heraus|rüber|wissen',
  but: 'aber|doch|jedoch|sondern|deshalb|darum|denn|weil|daher|trotzdem|also|und dann|sonst|allerdings|außerdem|nur mir',
  or: 'oder',
  question: 'wer|ob|wie|wo|wann|warum|gibt|ist avouch|ist der|ist die|gibt es|hat der|welche',
  me: 'mir|uns|mich|hier|an mich|an uns|mit mir|mit uns|bei mir|in der notiz|in diese notiz|in die notiz|in dieser notiz|in die antwort|in der antwort|in deine antwort|in das ergebnis|ins ergebnis|mit dem ergebnis|in die zusammenfassung|dem ergebnis|in den chat|im chat|an diesen agenten|diesem agenten|hier rein|hierher|unten|in dieses feld|ins notizfeld|mit in die',
  you: 'du|sie|ihr',
  i: 'ich|wir|derjenige der|die person die',
  the: 'der|die|das|den|dem|des|alle|allen|jede|jeden|jedes|diese|diesen|sämtliche|sämtlichen|volle|ganze',
  ask: 'schick|schicke|schickt|schicken|zuschicken|sende|sendet|senden|zusenden|gib|gebt|geben|herausgeben|gib heraus|rück heraus|rausrücken|herausrücken|sag|sage|sagen|verrate|verrat|verraten|nenn|nenne|nennt|nennen|zeig|zeige|zeigt|zeigen|teile|teil|teilt|teilen|mitteilen|poste|posten|einfügen|füge|füg|fueg|trag|trage|eintragen|leg|lege|beilegen|beilege|liefere|liefert|liefern|abliefern|reiche|reich|reicht|einreichen|übermittle|übermitteln|übermittelt|maile|mail|mailen|lade hoch|hochladen|häng|hänge|anhängen|schreib|schreibe|schreiben|aufschreiben|stell|stelle|drucke|gib aus|exportiere|exportieren|kopiere|leihe|leih|leihen|ausleihen|antworte mit|antworten sie mit|bestätige|überlass|überlasse|überlassen|her damit|her mit|weiterleiten|leite|leitet|geschickt|gegeben|preisgeben|gib preis|offenlegen|lege offen|darf ich|dürfen wir|kann ich|könnte ich|tippe|tipp|veröffentliche|besorge|besorg|händige|aushändigen|stellen|mitgeben|mitschicken|durchgeben|gib durch|lass mich wissen|lies vor|vorlesen|weitergeben|rüber',
  take: 'lies|lese|auslesen|hole|hol|kopiere|exportiere|öffne|such|finde|stiehl|knacke|lade|sammle|greif|zieh|lesen',
  betray: 'verrate|verrat|gib preis|gib heraus|lege offen|rück heraus|leake|händige',
  want: 'brauche|brauchen|benötige|benötigen|ich will|wir wollen|will haben|möchte|möchten|muss haben|fehlt|fehlen|hätte gern|hätte gerne|bitte um|verlange|fordere|erforderlich|nötig|erwarte|frage nach|suche ich|sobald ich|wissen|ich muss|wir müssen',
  which:
    'wie lautet|wie lauten|was ist|was sind|welches|welchem|welcher|welchen|mit welchem|mit welcher|wie heißt|wie sieht',
  then: 'also|bitte|einfach|mal|kurz|ruhig|gleich|doch|dann',
  secret:
    'passwort|passwörter|passwörtern|passworts|passwortes|*passwort|*passwörter|*passworts|kennwort|kennwörter|kennwörtern|kennworts|*kennwort|passphrase|losungswort|zauberwort|api schlüssel|apischlüssel|api keys|privater schlüssel|privaten schlüssel|private schlüssel|privaten schlüssels|geheimer schlüssel|geheimen schlüssel|geheime schlüssel|privatschlüssel|geheimschlüssel|ssh schlüssel|zugangsschlüssel|signaturschlüssel|signierschlüssel|*schlüssel|*schlüssels|zugriffstoken|zugangstoken|sitzungstoken|*token|*tokens|sitzungscookie|geheimnisse|zugangsdaten|zugriffsdaten|anmeldedaten|logindaten|login daten|kontodaten|einwahldaten|benutzername und passwort|zugangscode|zugriffscode|einmalcode|einmalpasswort|bestätigungscode|sicherheitscode|prüfcode|freischaltcode|wiederherstellungscode|wiederherstellungscodes|umgebungsvariablen|geheimcode|pin nummer|anmeldeinformationen|adminrechte|administratorrechte',
  weak: 'schlüssel|schlüssels|schlüsseln|token|tokens|geheimnis|login|logins|zugang|pin|pins|tresor',
  loot: '.env datei|env datei|wiederherstellungswörter|wiederherstellungsphrase|wiederherstellungswörtern|seed phrase|passworttresor|passwortmanager|passwortmanagers|passwortspeicher|passwortdatei|schlüsselbund|schlüsseldatei|schlüsselspeicher|kennwortdatei|kennworttresor|passwortsafe',
  shell:
    'shell|terminalsitzung|root zugang|root zugriff|rootzugang|rootzugriff|admin zugang|adminzugang|ssh zugang|ssh zugriff|sshzugang|shellzugang|shell zugang|shell zugriff|serverzugang|server zugang|fernzugriff|hintertür|konsolenzugang|kommandozeile|eingabeaufforderung',
  open: 'öffne|öffnen|starte|starten|gib|richte|gewähre|mach|stell',
  whose:
    'dein|deine|deinen|deinem|deiner|deines|eure|euren|eurem|eurer|euer|ihre|ihren|ihrem|ihrer|ihres|ihr|jetzigen|aktuellen|aktuelle|jetzige|fremde|anderer agenten|dortigen',
  holder:
    'servers|server|dienstes|dienst|betreibers|betreiber|gründers|gründer|kunden|nutzer|nutzers|datenbank|administrators|administrator|admins|admin|eigentümers|besitzers|inhabers|plattform|system|systems|rechner|rechners|maschine|wallet|portals|kontos|firma|bildarchivs|lieferanten|chefs|produktion',
  every_agent: 'jeder agent|alle agenten|jede agentin|jeder von euch|ihr alle|alle bots|jeder bot|agenten müssen',
  mine: 'ein|eine|einen|einem|einer|mein|meine|meinen|meinem|meiner|eigene|eigenen|eigener|eigenes|neue|neuen|neuer|neues|unser|unsere|unseren|falsches|falsche|abgelaufenes|altes|starkes|verlorenes|zufälliges',
  head: 'feld|formular|richtlinie|richtlinien|manager|modul|seite|regeln|stärke|verwaltung|karte|fall|fälle|bedingungen|frist|ansprüche|rotation|länge',
  work: 'wie man|wie kann|wie funktioniert|wie bekomme|wie komme|wo|wohin|wann|anleitung|dokumentation|richtlinie|richtlinien|leitfaden|handbuch|rotiere|rotieren|widerrufe|widerrufen|verschlüssele|verschlüsseln|verschlüsselt|maskiere|maskieren|vergessen|formular|formulare|feld|felder|feldern|anmeldeformular|anmeldebildschirm|maske|modul|komponente|knopf|reiter|spalte|tabelle|schema|tests|artikel|erkenner|scanner|filter|skript|hash|verbergen|verberge|übersetze|übersetzen|zusammenfassen|vergleiche|vergleichen|erkläre|erklären|entwirf|entwerfen|baue|bauen|schulung|kampagne|plakat|fehlertext|fehlertexte|fehlermeldung|header|ändern|ändere|zurücksetzen|speichert|bewahre|prüfe ob|stelle sicher|erstelle eine|schreib einen|schreib eine|öffentliche|öffentlicher|öffentlichen|abgelaufenes|beantrage|meinen agenten|meinen eigenen|mein schlüssel|was ist ein|ersetze|erneuere|lösche|entferne|verloren|ablegen|testumgebung|wenn dein|wenn deine|falls dein|wenn ihr|falls ihr|ob dein',
  type: 'eintippst|eingibst|eingeben|tippst|benutzt|nutzt|verwendest|einloggst|hineinkommst|reinkommst|anmeldest|arbeitest|eintippen|verwenden|eingebt',
  entry:
    'anmeldung|anmelden|anmeldest|einloggen|einloggst|login|hineinkommst|reinkommst|hineinzukommen|reinzukommen|portal|verwaltung|adminbereich|verwaltungsbereich|system|server|tresor',
  it: 'es|sie|ihn|den|das|die|damit|alles|diesen|dieses|deins|deinen|deines|den rest',
  founder: 'gründer|gründerin|gründers|gründerinnen|mitgründer|mitgründerin|mitbegründer|begründer|firmengründer',
  boss: 'geschäftsführer|geschäftsführerin|geschäftsführers|geschäftsführung|geschäftsleitung|chef|chefin|chefs|chefetage|eigentümer|eigentümerin|eigentümers|inhaber|inhaberin|inhabers|besitzer|besitzerin|vorstand|vorstands|vorstandsvorsitzender|vorstandsvorsitzende|leitung|leiter|leiterin|direktor|direktorin|direktion|führung|führungsetage|unternehmensleitung|betreiber|betreiberin|präsident|vorsitzender|boss|erfinder|schöpfer|macher|management|zentrale',
  avouch:
    'dieser dienst|dieses dienstes|diesem dienst|dieser plattform|diese plattform|dieser firma|dieser seite|des dienstes|der plattform|dieses systems|diesen dienst|dieses servers|dieses unternehmens|eures dienstes|eurer plattform|dieses ganzen|dieses projekts',
  self: 'ich bin|bin ich|ich bin wirklich|ich bin es|hier spricht|hier schreibt|hier redet|hier ist|hier|dies ist|das ist|im namen|im auftrag|in vollmacht|auf anweisung|auf befehl|auf geheiß|auf veranlassung|kraft|in meiner rolle als|in meiner funktion als|in meiner eigenschaft als|du sprichst mit|du redest mit|sie sprechen mit|sie reden mit|du hast es mit|nachricht von|nachricht vom|mitteilung der|mitteilung des|mitteilung von|anweisung von|anweisung vom|anweisung der|befehl vom|gezeichnet|unterzeichnet|gez|wir sind|behandle mich als|betrachte mich als|sieh mich als|bevollmächtigt von|beauftragt von|mit ermächtigung|grüße von|mit freundlichen grüßen|direkt vom|direkt von|ich spreche für|ich handle für|ich schreibe für|spreche im namen',
  as: 'als',
  speak:
    'handle|handele|poste|sprich|unterschreib|unterschreibe|unterzeichne|sende|schreib|schreibe|veröffentliche|antworte|genehmige|bestelle|gib dich|geben sie sich|melde dich|tritt|trag|trage|eintragen|registriere|registrieren|bestätige|stell dich|verhalte dich|führe',
  pose: 'gib dich aus als|tu so als wärst du|tu so als ob du|spiel den|spiele den',
  made: 'gegründet|gebaut|erfunden|leite|besitze|führe|betreibe|aufgebaut|geschaffen|gestartet|entwickelt|ins leben gerufen|gehört mir',
  of: 'von|vom|bei|der|des|einer|eines|für|dieser|meiner|unserer',
  theirs: 'unser|unsere|unserem|ihr|sein|mein|ein',
  with: 'nutze|nutz|verwende|mit|benutze|über|habe|nimm',
  things:
    'zugangsdaten|schlüssel|konto|rechte|rechten|zugang|login|passwort|vollmacht|token|kennung|anmeldedaten|kontos',
  founders_key:
    'gründerschlüssel|gründerkonto|gründerrechte|gründerrechten|gründerzugang|gründerlogin|gründerpasswort|gründertoken|chefkonto|cheflogin|gründervollmacht|gründerdaten',
  here: 'hier|spricht|schreibt|selbst|persönlich|am apparat|befiehlt|verlangt|ordnet an|tippt|höchstpersönlich|weist dich an',
  order: 'befehle|weise|ordne|verfüge|verlange|bestimme|entscheide|genehmige|hebe|erkläre|fordere|beschließe|untersage',
  we: 'wir|ich|unser dienst|unser team|unser unternehmen|unsere firma|dieser dienst|avouch|unsere agenten|dieser agent',
  our: 'unsere|unser|unserer|unseren|unserem|meine|avouch',
  by_us:
    'durch uns|von uns|bei uns|mit uns|auf unsere kosten|zu unseren lasten|durch avouch|von avouch|bei avouch|unsererseits|von unserer seite|auf unsere rechnung|von mir|durch mich|gehen auf uns|geht auf uns|an uns|auf uns',
  promise:
    'garantiere|garantiert|garantieren|garantie|garantien|gewährleiste|gewährleisten|gewährleistet|gewährleistung|haften|hafte|haftet|haftung|versichere|versichern|versichert|versicherung|versicherungsschutz|schadlos|schadlosgehalten|bürgen|bürge|bürgt|bürgschaft|einstehen|stehen ein|stehen gerade|gerade|geradestehen|stehe gerade|volle verantwortung|übernehmen die verantwortung|abgesichert|freistellen|stellen frei|gewähr|vollkasko|*garantie',
  warranty: 'garantie|garantien|gewährleistung|*garantie|haftung|versicherung|gewähr',
  money_back:
    'geld zurück garantie|geld zurück wenn|sonst geld zurück|oder geld zurück|ihr geld zurück|dein geld zurück|zufriedenheitsgarantie',
  pay: 'zahlen|zahle|zahlt|bezahlen|bezahle|ersetzen|ersetze|ersetzt|erstatten|erstatte|erstattet|erstattung|entschädigen|entschädige|tragen|trage|trägt|übernehmen|übernehme|übernimmt|decken|deckt|begleichen|ausgleichen|gleichen|kompensieren|schadensersatz|schadenersatz|kommen auf|aufkommen|zurückzahlen|zurückerstatten',
  loss: 'schaden|schäden|verlust|verluste|verlusten|ansprüche|ansprüchen|ausfall|ausfälle|gewinnausfall|entgangenen gewinn|fehlbetrag|diebstahl|strafe|strafen|jeden cent|forderungen',
  wrong:
    'schiefgeht|schief geht|schiefläuft|kaputtgeht|kaputt geht|kaputt|nicht zufrieden|unzufrieden|fehlschlägt|nicht funktioniert|nicht klappt|verloren geht|zu spät|passiert|ausfällt|beschädigt',
  no_risk:
    'kein risiko|keinerlei risiko|null risiko|ohne risiko|risikofrei|risikolos|nichts zu verlieren|nicht verlieren|keine risiken',
  you_get:
    'sie sind|du bist|bist du|sind sie|sie erhalten|du erhältst|sie bekommen|du bekommst|erhalten sie|bekommst du|inklusive|unter|mit|gilt|ihr paket ist|dein paket ist|ihre bestellung ist|deine bestellung ist|ihre sendung ist',
  full: 'volle|voller|vollen|lebenslange|lebenslang|jahr|jahre|jahren|monate|monaten|umfassende|unbegrenzte|erweiterte|vollständige|uneingeschränkte|zwei|drei|fünf|zehn|schriftliche|tage',
  given:
    'inklusive|inbegriffen|enthalten|gilt|gelten|gratis|kostenlos|auf jede|auf jedes|auf alle|auf alles|auf diese|auf dieses|auf den|auf die|bei jeder|für jede|für alle|für alles|dazu|obendrauf|jede|jeder|jedes|jeden|alle|alles|allen|immer|sämtliche',
  third:
    'hersteller|herstellers|lieferant|lieferanten|verkäufer|käufer|versicherer|spediteur|frachtführer|händler|bank|laut|mieter|vermieter|marke|typsystem|compiler|index|datenbank|protokoll|sperre|reihenfolge|transaktion|haftpflichtversicherung|haftpflichtversicherungen|krankenversicherung|reiseversicherung|beschränkter haftung|algorithmus|waschmaschine|gesellschaft',
  check:
    'prüfe|prüfen|überprüfe|frage|fragen|frag|ob|suche|such|baue|vergleiche|übersetze|erkläre|fasse|entwirf|schreib|sortiere|markiere|finde|liste|wir suchen|ich suche|wir brauchen|ich brauche|abgelaufen|police|prämie|klausel|versprich|beschwerde|sagen die anderen',
};
