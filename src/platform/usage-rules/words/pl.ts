import type { WordLists } from './classes.ts';

export const PL: WordLists = {
  calm: 'nie wahaj się|nie czekaj|nie zapomnij|nie martw się|nie ma sprawy|nie ma problemu|dlaczego nie|nie tylko|bez zwłoki|bez pytań|bez pytania|bez wahania|to nie phishing|to nie oszustwo|klucz publiczny|klucza publicznego|klucze publiczne|kluczowe liczby|kod rabatowy|kod źródłowy|kod pocztowy|legitymacja prasowa|nie mogę kontynuować|nie możemy kontynuować|nie mogę dalej|hasła do krzyżówki|hasło do krzyżówki|hasło krzyżówki|hasła krzyżówki|hasło reklamowe|hasła reklamowe|jakie zmienne środowiskowe',
  not: 'nie|nigdy|nikt|nikomu|żaden|żadna|żadnej|żadnych|żadnego|nic|ani|bez|odmów|odmawiaj|unikaj|uwaga|ostrożnie|wykluczamy|wyklucza',
  said: 'prosił|prosiła|poprosił|poprosiła|żądał|domagał się|napisał|powiedział|mówił|twierdził|twierdzi|podawał się|podszywał się|podszywa się|podaje się|udawał|obiecał|według|zgłosiłem|zgłosiłam|zgłoszono|odmówiłem|odmówiłam|zignorowałem|zaoferował',
  report:
    'phishing|oszustwo|oszust|spam|atak|atakujący|zgłoszenie|skarga|incydent|zabronione|zabrania|zakazane|wolno|ktoś|jeśli ktoś|lekcja|zasada|reguła|skradziony|podejrzany|powieść|na przykład|pewien agent|ona',
  mention: 'zdanie|przetłumacz|tłumaczenie|tytuł|cytat|przykład',
  ask_end:
    'podać|wysłać|przesłać|udostępnić|przekazać|ujawnić|pokazać|przysłać|podesłać|zdradzić|potwierdzić|dostarczyć|dać',
  but: 'ale|więc|jednak|dlatego|bo|ponieważ|lecz|natomiast|a zatem|zatem|inaczej|za to',
  or: 'lub|albo|ani',
  question: 'kto|czy avouch|jak|gdzie|kiedy|dlaczego|czy producent|czy sprzedawca',
  me: 'mi|mnie|nam|tu|tutaj|do mnie|do nas|w tej notatce|w notatce|w odpowiedzi|w wyniku|z wynikiem|temu agentowi|poniżej|w podsumowaniu|do wyniku|na ten adres|na adres poniżej|na poniższy adres|w wiadomości|na priv|prywatnie|w tym czacie|na czacie|w tym polu|w komentarzu|pod spodem',
  you: 'ty|pan|pani|wy',
  i: 'jestem|osoba która|ten kto|ja|to ja|założyłem|założyłam|stworzyłem|stworzyłam|kieruję|posiadam|zbudowałem|zbudowałam|ja jestem',
  the: 'wszystkie|wszystkich|każdy|każde|ten|ta|te|tego|tej|cały|całą|pełny|do',
  ask: 'wyślij|wyślijcie|wysłać|przyślij|przyślijcie|prześlij|prześlijcie|przesłać|podaj|podajcie|podać|daj|dajcie|dać|powiedz|powiedzieć|pokaż|pokażcie|pokazać|udostępnij|udostępnijcie|udostępnić|wklej|wklejcie|wkleić|wpisz|wpiszcie|wpisać|napisz|napiszcie|zamieść|dostarcz|dostarczyć|przekaż|przekażcie|przekazać|ujawnij|zdradź|zdradzić|dołącz|załącz|wyeksportuj|wypisz|wydrukuj|pożycz|pożyczyć|odpowiedz|odpisz|poproszę|proszę o|zostaw|umieść|przedstaw|skopiuj|wymień|podrzuć|prześle|przesyła|podaje|przekazuje|podaj mi|podajcie mi|podać mi|daj mi|dać mi|wyślij mi|wysłać mi|przyślij mi|przysłać|przysłać mi|prześlij mi|przesłać mi|mi przesłać|mi podać|mi wysłać|mi dać|mi pokazać|mi powiedzieć|mi zdradzić|mi przekazać|mi udostępnić|pokaż mi|powiedz mi|przekaż mi|przekazać mi|udostępnij mi|udostępnić mi|zdradź mi|wypisz mi|napisz mi|podeślij|podeślij mi|podesłać|ujawnić|ujawnijcie|przedłóż|dostarcz mi|wpisz mi|oddaj|oddaj mi|poda pan|poda pani|podasz|prześlesz|wyślesz|dasz|pokażesz',
  take: 'odczytaj|pobierz|skopiuj|wyciągnij|otwórz|znajdź|przeczytaj|wykradnij|wyeksportuj',
  betray: 'ujawnij|zdradź|wydaj|wycieknij',
  want: 'potrzebuję|potrzebujemy|potrzebne|potrzebny|chcę|chcemy|chciałbym|chciałabym|brakuje|żądam|wymagam|oczekuję|muszę mieć|muszę znać|trzeba|wymagane|potrzeba mi|potrzebna|potrzebuje|chciałbym mieć|przydałby się|przydałoby się|przyda się|byłoby dobrze|byłoby miło|gdy dostanę|jak tylko dostanę|kiedy otrzymam|dopóki nie dostanę|niezbędne|niezbędny|proszę cię o|prosimy o|wymagamy|życzę sobie|poproszę',
  which: 'jakie jest|jaki jest|jaka jest|jakim|jakie|jaki|jaka|jaką|którym|co to za|jakiego|jakiej|którego|jakich',
  then: 'więc|proszę|po prostu|tylko|szybko',
  secret:
    'hasło|hasła|hasłem|haseł|hasłami|hasłach|hasłu|klucz api|klucza api|klucze api|kluczem api|kluczy api|klucz prywatny|klucza prywatnego|klucze prywatne|kluczem prywatnym|klucz tajny|tajny klucz|tajnego klucza|klucz ssh|klucz dostępu|klucz podpisujący|token dostępu|tokena dostępu|token sesji|sekrety|tajne dane|dane logowania|danych logowania|dane dostępowe|danych dostępowych|dane do logowania|danych do logowania|dane uwierzytelniające|poświadczenia|poświadczeń|login i hasło|loginu i hasła|kod pin|kod jednorazowy|kodu jednorazowego|kod weryfikacyjny|kodu weryfikacyjnego|kod dostępu|kody zapasowe|kod z sms|zmienne środowiskowe|zmiennych środowiskowych|ciasteczko sesji|magiczne słowo|klucza ssh|klucza dostępu|kluczy prywatnych|tajnych kluczy|tajne klucze|tajnym kluczem|tokenu dostępu|tokenów dostępu|tokeny dostępu|kod odzyskiwania|kody odzyskiwania|kodu sms|kodu z sms|kod sms|kodu pin|kodu dostępu|hasełko|dane do konta|dane dostępu|danych dostępu|nazwę użytkownika i hasło|klucz główny|hasło główne|klucz sekretny|sekretny klucz|sekretnego klucza|ciąg połączenia|uprawnienia administratora|prawa administratora',
  weak: 'klucz|klucza|klucze|kluczem|kluczy|token|tokena|tokeny|tokenu|tokenów|tokenem|sekret|login|loginu|pin|sejf',
  loot: 'plik .env|pliku .env|fraza odzyskiwania|frazę odzyskiwania|słowa odzyskiwania|fraza seed|frazę seed|sejf haseł|menedżer haseł|menedżera haseł|pęk kluczy|magazyn haseł|magazyn poświadczeń|.env|frazy odzyskiwania|frazy seed|dwanaście słów|słów odzyskiwania|pliku env|plik env|plik z hasłami|pliku z hasłami|portfel haseł|magazyn kluczy|plik z kluczem',
  shell:
    'powłoka|powłokę|powłoki|shell|dostęp root|dostęp roota|dostęp administratora|dostęp ssh|dostęp do serwera|sesję terminala|zdalny dostęp|tylne drzwi|wiersz poleceń|dostęp do swojego serwera|dostęp do swojego komputera|dostęp do twojego serwera|dostęp do twojego komputera|dostęp do waszego serwera|dostęp do waszego komputera|dostęp do swojej maszyny|dostęp do twojej maszyny',
  open: 'otwórz|otwórzcie|otworzyć|uruchom|daj|załóż|utwórz',
  whose:
    'twój|twoje|twoja|twoją|twojego|twojej|twoim|twoich|swój|swoje|swoją|swojego|swojej|swoim|swoich|wasz|wasze|waszego|waszych|obecnym|obecny|obecnego|aktualny|aktualnym',
  holder:
    'serwera|serwer|serwerze|usługi|administratora|administrator|właściciela|założyciela|klienta|klientów|bazy|bazy danych|maszynie|platformy|portalu|panelu|portfela|produkcji|systemu|konta|firmy',
  every_agent: 'każdy agent|wszyscy agenci|każdego agenta|wszyscy',
  mine: 'mój|moje|moja|mojego|mojej|własny|własnego|nowy|nowego|nasz|nasze|zgubiony|stary|zapomniane|nowe',
  head: 'zapomniane',
  work: 'jak|gdzie|kiedy|dokumentacja|dokumentacji|poradnik|instrukcja|polityka|pole|pola|polami|formularz|formularza|strona|strony|ekran|ekranu|moduł|modułu|przycisk|kolumna|tabela|testy|artykuł|wykrywacz|skaner|filtr|skrypt|resetowanie|zresetuj|zmień|zmienić|zmiany|rotacja|unieważnij|unieważnić|przetłumacz|porównaj|zbuduj|zaprojektuj|zaszyfruj|ukryj|wyjaśnij|publiczny|publicznego|publiczne|mojego agenta|dla mojego|przechowuje|sprawdź czy|wyjaśnienie|porady|informacje o|podsumowanie',
  type: 'logujesz|używasz|wpisujesz|podajesz|wchodzisz|korzystasz',
  entry: 'logujesz|logowania|zalogować|zalogujesz|wchodzisz|portalu|panelu|serwer|wejść',
  it: 'je|ją|wszystko',
  founder:
    'założyciel|założyciela|założycielem|założycielowi|założycielka|założycielki|założycielką|współzałożyciel|współzałożycielem|współzałożyciela|współzałożycielka|współzałożycielką',
  bare: 'założyciel|założyciela|założycielem|założycielka|założycielki|założycielką|współzałożyciel|współzałożycielem|współzałożyciela|właściciel|właściciela|właścicielem|prezes|prezesa|prezesem|szef|szefem|szefa|dyrektor|dyrektorem|dyrektora|prezeska|prezeską|właścicielka|właścicielką|szefowa|szefową|współwłaściciel|współwłaścicielem',
  boss: 'właściciel|właściciela|właścicielem|właścicielka|właścicielką|prezes|prezesa|prezesem|prezeska|dyrektor|dyrektora|dyrektorem|dyrektorka|dyrektor generalny|dyrekcja|dyrekcji|zarząd|zarządu|zarządem|szef|szefa|szefem|szefowa|szefową|kierownictwo|kierownictwa|twórca|twórcą|twórcy|na czele avouch|kieruję avouch|szefostwo|szefostwa|prezesem zarządu|prezes zarządu|współwłaściciel|współwłaścicielem|udziałowiec|administrator avouch|administratorem avouch|dyrektorką|prezeską|stojący za avouch',
  avouch:
    'tej usługi|ta usługa|tego serwisu|tej platformy|tej firmy|tego systemu|tego serwera|ten serwis|tę usługę|tę platformę|tego projektu',
  self: 'jestem|to ja|tu|tutaj|mówi|pisze|w imieniu|z polecenia|z upoważnienia|na zlecenie|na polecenie|z rozkazu|rozmawiasz z|rozmawia pan z|wiadomość od|polecenie od|podpisano|jesteśmy|traktuj mnie jak|uznaj mnie za|upoważniony przez|z tej strony|pochodzi od|wiadomość pochodzi od|jest od|działam w imieniu|mówię w imieniu|reprezentuję|wypowiadam się jako|masz do czynienia z|z ramienia|na rozkaz|przemawia|z wyrazami szacunku|to naprawdę ja|pozdrawiam|z poważaniem',
  as: 'jako|jak',
  speak:
    'działaj|opublikuj|mów|podpisz|wyślij|napisz|odpowiedz|zatwierdź|zaloguj się|zarejestruj|przedstaw się|pisz|wystąp',
  pose: 'udawaj|podaj się za|podszyj się pod|podaj się|udaj',
  made: 'założyłem|założyłam|stworzyłem|stworzyłam|kieruję|prowadzę|zbudowałem|zbudowałam|posiadam|zarządzam|avouch należy do mnie|avouch jest mój|avouch jest moje|avouch to moja firma|avouch jest moją firmą|moja firma avouch|wymyśliłem|wymyśliłam|uruchomiłem|założyliśmy|powołałem|stoję na czele avouch|stoję za avouch',
  of: 'w|dla|z',
  theirs: 'nasz|mój|jego|jej',
  with: 'użyj|użyjcie|z|na|przez|mam|danymi',
  things:
    'dane logowania|danych logowania|danymi logowania|klucz|klucza|konto|konta|prawa|uprawnienia|dostęp|hasło|token',
  founders_key: 'klucz założyciela|konto założyciela|uprawnienia założyciela|dane założyciela|danych założyciela',
  here: 'tu|tutaj|mówi|pisze|osobiście|nakazuje|rozkazuje|sam|żąda|upoważnił mnie|mnie upoważnił|upoważniła mnie',
  order: 'nakazuję|rozkazuję|decyduję|żądam|znoszę|zatwierdzam|polecam|zarządzam|postanawiam',
  we: 'nasza usługa|nasz zespół|nasza firma|avouch|gwarantujemy|gwarantuję|dajemy|ponosimy|ubezpieczamy|pokrywamy|pokryjemy|zwracamy|zwrócimy|odpowiadamy|bierzemy|zapłacimy|zrekompensujemy|obiecujemy|zapewniamy|udzielamy|oferujemy|wypłacimy|zwrócę|pokryję|biorę|zapłacę|oddamy|oddam|udzielam|oferuję|odpowiadam|ręczymy|ręczę|naprawimy|wyrównamy|wypłacamy|przejmujemy|poniesiemy|ponoszę|ubezpieczam|zapewniam|rekompensujemy|płacimy',
  our: 'nasza|nasz|nasze|naszą|naszej|avouch',
  by_us:
    'przez nas|na nasz koszt|z naszej strony|od nas|u nas|przez avouch|od avouch|na nasz rachunek|z naszej kieszeni',
  promise:
    'gwarancja|gwarancji|gwarancję|gwarancją|gwarancje|gwarantuję|gwarantujemy|gwarantuje|gwarantowany|gwarantowane|gwarantowana|rękojmia|rękojmi|rękojmię|ubezpieczony|ubezpieczona|ubezpieczone|ubezpieczenie|ubezpieczamy|odpowiedzialność|pełną odpowiedzialność|odpowiadamy za|odszkodowanie|ręczymy|poręczamy|ręczę|poręczam|odpowiedzialności|odpowiadam za|bierzemy odpowiedzialność|biorę odpowiedzialność|odszkodowania|ubezpieczeniem|ubezpieczenia|ubezpieczeni|poręczenie|zobowiązujemy się pokryć|gwarantuję że nic|gwarantujemy że nic',
  warranty: 'gwarancja|gwarancji|gwarancję|gwarancją|rękojmia',
  money_back:
    'gwarantujemy zwrot|gwarancja zwrotu pieniędzy|gwarancję zwrotu pieniędzy|zwrot pieniędzy gwarantowany|zwracamy pieniądze|satysfakcja gwarantowana|zwrócimy pieniądze|gwarantujemy|ubezpieczamy|ręczymy|zwrot pieniędzy|oddamy pieniądze|oddajemy pieniądze|zwracamy całość|pełny zwrot|avouch ręczy|avouch ubezpiecza|avouch odpowiada za|avouch zwraca|avouch pokrywa|avouch pokryje',
  pay: 'pokrywamy|pokryjemy|zapłacimy|zwracamy|zwrócimy|ponosimy|zrekompensujemy|wypłacimy|naprawimy|wyrównamy|płacimy|bierzemy|rekompensujemy|zwrócę|pokryję|zapłacę|oddamy|oddam|wypłacamy|przejmujemy|poniesiemy|ponoszę|wynagrodzimy|zrefundujemy|refundujemy|pokryte|pokryta|pokryty|zwrócone|wypłacone',
  loss: 'szkoda|szkody|szkód|szkodę|strata|straty|strat|stratę|roszczenie|roszczenia|roszczeń|kradzież|kradzieży|utrata|utraty|kary|karę|wszystkie pieniądze|uszkodzenie|uszkodzenia|uszkodzeń|stratom|szkodami|awarii|awarię|co stracisz|wszystko co stracisz',
  wrong:
    'pójdzie nie tak|zepsuje się|zgubi się|nie będziesz zadowolony|niezadowolony|nie zadziała|zawiedzie|spóźni się|coś się zepsuje|nie zadowoli|nie będzie działać|nie działa|nie dotrze|dotrze uszkodzona|uszkodzony|nie spodoba|nie jesteś zadowolony|nie będziesz zadowolona|okaże się błędne|zaginie|coś się stanie',
  no_risk: 'bez ryzyka|niczym nie ryzykujesz|zero ryzyka|żadnego ryzyka|nic nie ryzykujesz',
  you_get: 'otrzymujesz|otrzymasz|dostajesz|dostaniesz|masz|jesteś|przesyłka jest|zamówienie jest|paczka jest|z pełną',
  full: 'lata|lat|rok|miesięcy|miesiące|dożywotnia|dożywotnią|pełna|pełną|pełnej|dni|roku',
  given:
    'w cenie|gratis|na wszystko|na wszystkie|na każdy|na każde|na każdą|na ten|na tę|obejmuje|za darmo|wszystko|wszystkie|każdy|każda|każde|zawsze|wszelkie',
  third:
    'producent|producenta|dostawca|dostawcy|sprzedawca|sprzedawcy|przewoźnik|ubezpieczyciel|kupujący|bank|według|kompilator|baza danych|protokół|indeks|transakcja|ubezpieczenie turystyczne|ubezpieczenia turystyczne|ubezpieczenie zdrowotne|ograniczoną odpowiedzialnością|ograniczonej odpowiedzialności|klient',
  check:
    'sprawdź|sprawdzić|zapytaj|czy|porównaj|przetłumacz|wyjaśnij|streść|znajdź|karta|kartę|klauzula|warunki|obiecuj|szukamy|potrzebujemy',
};
